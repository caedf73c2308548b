import { defineTexts } from '#src/lib/texts.ts'

export const mailTexts = defineTexts({
  fr: {
    transcriptSubject: 'Votre conversation avec {company}, {date}',
    transcriptIntro: 'Bonjour {name},\n\nVoici votre conversation du {date} avec {company}.',
    transcriptEnd: 'Besoin d’autre chose ? Répondez à ce courriel ou appelez le {phone}.',
  },
  en: {
    transcriptSubject: 'Your conversation with {company}, {date}',
    transcriptIntro: 'Hello {name},\n\nHere is your conversation of {date} with {company}.',
    transcriptEnd: 'Need anything else? Answer this e-mail or call {phone}.',
  },
})
