import { defineTexts } from '#src/lib/language/texts.ts'

/** The launcher's texts on another site; they are part of the script, so they are short. */
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
