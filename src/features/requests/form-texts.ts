import { defineTexts } from '#src/lib/language/texts.ts'

/** Words that both forms share. */
export const formTexts = defineTexts({
  fr: {
    email: 'Courriel',
    phone: 'Téléphone',
    sending: 'Envoi en cours…',
    maxHint: '{max} caractères au maximum',
    used: '{count} / {max}',
    left: 'Il reste {count} {count|caractère|caractères}.',
    tooMany: '{count} {count|caractère|caractères} de trop.',
    toCorrect: '{count} {count|champ est à corriger|champs sont à corriger}.',
    privacy: 'Vos renseignements servent à traiter votre demande et sont effacés après {period}.',
    privacyLink: 'Renseignements personnels',
  },
  en: {
    email: 'Email',
    phone: 'Phone',
    sending: 'Sending…',
    maxHint: '{max} characters maximum',
    used: '{count} / {max}',
    left: '{count} {count|character|characters} left.',
    tooMany: '{count} {count|character|characters} too many.',
    toCorrect: '{count} {count|field needs|fields need} a correction.',
    privacy: 'Your information is used to handle your request and erased after {period}.',
    privacyLink: 'Personal information',
  },
})

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
