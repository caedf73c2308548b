import { defineTexts } from '#src/lib/language/texts.ts'

export const contactFormTexts = defineTexts({
  fr: {
    name: 'Nom',
    message: 'Message',
    send: 'Envoyer!',
  },
  en: {
    name: 'Name',
    message: 'Message',
    send: 'Send!',
  },
})
