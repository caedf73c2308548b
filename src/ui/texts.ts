import { defineTexts } from '#src/lib/language/texts.ts'

export const texts = defineTexts({
  fr: {
    close: 'Fermer',
    loading: 'Chargement…',
    optional: 'facultatif',
    error: 'Erreur',
  },
  en: {
    close: 'Close',
    loading: 'Loading…',
    optional: 'optional',
    error: 'Error',
  },
})
