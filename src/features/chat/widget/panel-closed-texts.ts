import { defineTexts } from '#src/lib/language/texts.ts'

/** What a visitor reads in the chat while it is closed. */
export const panelClosedTexts = defineTexts({
  fr: {
    shutTitle: 'Le clavardage est fermé',
    shutHours: 'Le clavardage est inactif. Nos techniciens clavardent de 8:00 à 17:00, du lundi au vendredi{zone}.',
    shutOtherHours: 'Le clavardage est inactif. Heures de nos techniciens : {hours}.',
    nextOpening: 'Réouverture : {time}.',
    allBusy: 'Aucun technicien n’est disponible pour l’instant.',
  },
  en: {
    shutTitle: 'The chat is closed',
    shutHours: 'The chat is inactive. Our technicians chat from 8:00 to 17:00, Monday to Friday{zone}.',
    shutOtherHours: 'The chat is inactive. Our technicians’ hours: {hours}.',
    nextOpening: 'Reopens: {time}.',
    allBusy: 'No technician is available right now.',
  },
})
