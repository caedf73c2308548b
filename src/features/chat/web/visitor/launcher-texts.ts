import { defineTexts } from '#src/lib/texts.ts'

/** Apart from the panel's texts, which load with it. */
export const launcherTexts = defineTexts({
  fr: {
    chat: 'Clavarder',
    asked: 'Un instant : le clavardage s’ouvre.',
    failed: 'Une erreur est survenue avec le clavardage.',
    unread: '{count} {count|nouveau message|nouveaux messages}',
  },
  en: {
    chat: 'Chat',
    asked: 'One moment: the chat is opening.',
    failed: 'An error occurred with the chat.',
    unread: '{count} new {count|message|messages}',
  },
})
