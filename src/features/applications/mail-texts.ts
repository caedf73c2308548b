import { defineTexts } from '#src/lib/language/texts.ts'

/** The mail to the recruiters, who work in French, and the one to the applicant, in theirs. */
export const applicationMailTexts = defineTexts({
  fr: {
    staffSubject: '[{reference}] Candidature : {title}',
    staffText: '{name} a posé sa candidature au poste « {title} ». Son curriculum vitæ et sa lettre sont dans l’administration.',
    staffLink: 'Ouvrir la candidature',
    ownSubject: '[{reference}] Candidature reçue',
    received: 'Nous avons bien reçu votre candidature. Son numéro est {reference}.',
    next: 'Une personne de notre équipe la lit et vous répond.',
    rights:
      'Vos renseignements servent à évaluer votre candidature et sont effacés après {period}. Vous pouvez les consulter, les faire corriger ou retirer votre candidature en écrivant à {email}.',
  },
  en: {
    staffSubject: '[{reference}] Application: {title}',
    staffText: '{name} applied for the position “{title}”. The résumé and the letter are in the administration.',
    staffLink: 'Open the application',
    ownSubject: '[{reference}] Application received',
    received: 'We received your application. Its number is {reference}.',
    next: 'A member of our team reads it and replies to you.',
    rights:
      'Your information is used to assess your application and is erased after {period}. You may see it, have it corrected or withdraw your application by writing to {email}.',
  },
})
