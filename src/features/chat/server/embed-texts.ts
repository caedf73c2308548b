import { defineTexts } from '#src/lib/language/texts.ts'

/** What the launcher says on another site; it travels inside the script, so it is short. */
export const embedTexts = defineTexts({
  fr: {
    chat: 'Clavarder',
    title: 'Clavardage de {company}',
    unread: 'nouveaux messages : ',
    failed: 'Une erreur est survenue avec le clavardage.',
  },
  en: {
    chat: 'Chat',
    title: '{company} live chat',
    unread: 'new messages: ',
    failed: 'An error occurred with the chat.',
  },
})
