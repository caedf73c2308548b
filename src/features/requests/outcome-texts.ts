import { defineTexts } from '#src/lib/language/texts.ts'

/** What is said once a form was sent: it comes with the form's work, or from the server. */
export const outcomeTexts = defineTexts({
  fr: {
    supportSent: 'Votre demande a été envoyée avec succès',
    contactSent: 'Votre message a été envoyé avec succès!',
    keepReference: 'Conservez votre numéro de demande : il nous permet de la retrouver.',
    failure: 'Une erreur est survenue lors de l’envoi de votre demande',
    unconfirmed: 'Sa réception n’est pas confirmée. Votre texte est conservé : renvoyez-le, il ne comptera qu’une fois.',
  },
  en: {
    supportSent: 'Your request was sent successfully',
    contactSent: 'Your message was sent successfully!',
    keepReference: 'Keep your request number: it lets us find your request.',
    failure: 'An error occurred while sending your request',
    unconfirmed: 'Its receipt is not confirmed. Your text is kept: send it again, it will count only once.',
  },
})
