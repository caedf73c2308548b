import { defineTexts } from '#src/lib/language/texts.ts'

export const texts = defineTexts({
  fr: {
    title: 'Traductions anglaises à mettre à jour',
    lead: 'Ces fiches n’ont pas de version anglaise, ou leur texte français a changé depuis la traduction.',
    missing: 'Anglais manquant',
    older: 'Français modifié le {date}',
    unnamed: 'Sans nom',
    all: 'Afficher les {count} fiches',
    failed: 'Impossible de charger la liste des traductions à mettre à jour.',
  },
  en: {
    title: 'English translations to update',
    lead: 'These entries have no English version, or their French text has changed since it was translated.',
    missing: 'English missing',
    older: 'French changed on {date}',
    unnamed: 'Unnamed',
    all: 'Show all {count} entries',
    failed: 'The list of translations to update could not be loaded.',
  },
})
