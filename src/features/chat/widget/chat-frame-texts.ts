import { defineTexts } from '#src/lib/language/texts.ts'

/** The page that other sites show in a frame, around the chat's window. */
export const chatFrameTexts = defineTexts({
  fr: {
    title: 'Clavardage de {company}',
    loading: 'Chargement du clavardage…',
    failed: 'Une erreur est survenue avec le clavardage.',
    reopen: 'Rouvrir le clavardage',
    needsScript: 'Le clavardage a besoin de JavaScript. Activez-le, puis rechargez la page.',
  },
  en: {
    title: '{company} live chat',
    loading: 'Loading the chat…',
    failed: 'An error occurred with the chat.',
    reopen: 'Open the chat again',
    needsScript: 'The chat needs JavaScript. Turn it on, then reload the page.',
  },
})
