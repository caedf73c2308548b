import { defineTexts } from '#src/lib/texts.ts'

export const texts = defineTexts({
  fr: {
    title: 'Anglais à revoir',
    lead: 'Ces fiches n’ont pas encore d’anglais, ou leur français a changé depuis.',
    employees: 'Équipe',
    jobs: 'Emplois',
    networks: 'Réseau',
    notes: 'Notes',
    home_message: 'Code rouge',
    home_information: 'Information de l’accueil',
    missing: 'Anglais manquant',
    older: 'Plus ancien depuis le {date}',
    unnamed: 'Sans nom',
    all: 'Montrer les {count} fiches',
    failed: 'La liste de l’anglais à revoir manque.',
  },
  en: {
    title: 'English to review',
    lead: 'These entries have no English yet, or their French has changed since.',
    employees: 'Team',
    jobs: 'Jobs',
    networks: 'Network',
    notes: 'Notes',
    home_message: 'Red code',
    home_information: 'Home information',
    missing: 'English missing',
    older: 'Older since {date}',
    unnamed: 'Unnamed',
    all: 'Show all {count} entries',
    failed: 'The list of English to review is missing.',
  },
})
