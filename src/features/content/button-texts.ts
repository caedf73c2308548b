import { defineTexts } from '#src/lib/language/texts.ts'

/** Buttons and outcomes that the lists and forms of the administration share. */
export const buttonTexts = defineTexts({
  fr: {
    back: 'Retour',
    add: 'Nouveau',
    save: 'Sauvegarder',
    edit: 'Éditer',
    remove: 'Effacer',
    actions: 'Actions',
    saved: 'Sauvegardé avec succès',
    deleted: 'Effacé avec succès',
    deleteFailed: 'Erreur lors de l’effacement',
  },
  en: {
    back: 'Back',
    add: 'New',
    save: 'Save',
    edit: 'Edit',
    remove: 'Delete',
    actions: 'Actions',
    saved: 'Saved successfully',
    deleted: 'Deleted successfully',
    deleteFailed: 'Error on deleting',
  },
})
