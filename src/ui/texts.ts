import { defineTexts } from '#src/lib/texts.ts'

export const texts = defineTexts({
  fr: {
    close: 'Fermer',
    saved: 'C’est sauvegardé.',
    loading: 'Chargement…',
    optional: 'facultatif',
    confirmTitle: 'Confirmer',
    confirmQuestion: 'Êtes-vous sûr ? Cette opération est irréversible.',
    confirm: 'Oui, continuer',
    cancel: 'Annuler',
    error: 'Erreur',
    pages: 'Pages',
    previousPage: 'Page précédente',
    nextPage: 'Page suivante',
    page: 'Page {page} de {count}',
  },
  en: {
    close: 'Close',
    saved: 'Saved.',
    loading: 'Loading…',
    optional: 'optional',
    confirmTitle: 'Confirm',
    confirmQuestion: 'Are you sure? This operation is irreversible.',
    confirm: 'Yes, continue',
    cancel: 'Cancel',
    error: 'Error',
    pages: 'Pages',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    page: 'Page {page} of {count}',
  },
})
