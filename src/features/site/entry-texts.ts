import { defineTexts } from '#src/lib/texts.ts'

/** What every edit form may have to ask or say. */
export const entryTexts = defineTexts({
  fr: {
    draftKept: 'Vos modifications non sauvegardées sont revenues.',
    dropDraft: 'Reprendre la version sauvegardée',
    leaveTitle: 'Quitter sans sauvegarder ?',
    leaveQuestion: 'Vos modifications ne sont pas sauvegardées. Elles restent dans cet onglet si vous revenez.',
    leave: 'Quitter',
    stay: 'Rester',
    conflictTitle: 'Quelqu’un d’autre a sauvegardé cette fiche',
    conflictQuestion: 'Rien n’a été remplacé. Voici ce qui est sauvegardé maintenant :',
    takeTheirs: 'Prendre cette version',
    keepMine: 'Garder la mienne',
    confirmDelete: 'Effacer « {name} » ?',
  },
  en: {
    draftKept: 'Your unsaved changes are back.',
    dropDraft: 'Go back to the saved version',
    leaveTitle: 'Leave without saving?',
    leaveQuestion: 'Your changes are not saved. They stay in this tab if you come back.',
    leave: 'Leave',
    stay: 'Stay',
    conflictTitle: 'Someone else saved this entry',
    conflictQuestion: 'Nothing was replaced. Here is what is saved now:',
    takeTheirs: 'Take this version',
    keepMine: 'Keep mine',
    confirmDelete: 'Delete “{name}”?',
  },
})
