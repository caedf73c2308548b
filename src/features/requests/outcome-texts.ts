import { defineTexts } from '#src/lib/texts.ts'

/** What is said once a form was sent: it comes with the form's work, or from the server. */
export const outcomeTexts = defineTexts({
  fr: {
    supportSent: 'Votre demande a été envoyée avec succès',
    contactSent: 'Votre message a été envoyé avec succès!',
    keepReference: 'Gardez votre numéro : il nous sert à retrouver votre demande.',
    failure: 'Une erreur est survenue lors de l’envoi de votre demande',
  },
  en: {
    supportSent: 'Your request was sent successfully',
    contactSent: 'Your message was sent successfully!',
    keepReference: 'Keep your number: it lets us find your request again.',
    failure: 'An error occurred while sending your request',
  },
})
