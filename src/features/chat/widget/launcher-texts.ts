import { defineTexts } from '#src/lib/language/texts.ts'

/** Of the launcher alone: the panel's texts load with the panel. */
export const launcherTexts = defineTexts({
  fr: {
    name: 'Clavardage :',
    chat: 'Clavarder',
    leaveMessage: 'Laisser un message',
    asked: 'Ouverture du clavardage…',
    failed: 'Une erreur est survenue avec le clavardage.',
    unread: '{count} {count|nouveau message|nouveaux messages}',
  },
  en: {
    name: 'Live chat:',
    chat: 'Chat',
    leaveMessage: 'Leave a message',
    asked: 'Opening live chat…',
    failed: 'An error occurred with the chat.',
    unread: '{count} new {count|message|messages}',
  },
})
