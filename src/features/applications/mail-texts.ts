import { defineTexts } from '#src/lib/language/texts.ts'

/** The mail to the recruiters, who work in French, and the one to the applicant, in theirs. */
export const applicationMailTexts = defineTexts({
  fr: {
    staffSubject: '[{reference}] Candidature : {title}',
    staffText: '{name} a posé sa candidature au poste « {title} ». Son curriculum vitæ et sa lettre sont dans l’administration.',
    staffLink: 'Ouvrir la candidature',
    suspectedSubject: '{count} {count|candidature|candidatures} à vérifier',
    suspectedText:
      '{count} {count|candidature retenue|candidatures retenues} par un piège à robots {count|attend|attendent} votre décision\u00a0: la prendre, ou l’effacer. Sans décision, c’est effacé après 30\u00a0jours.',
    suspectedLink: 'Vérifier les candidatures',
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
    suspectedSubject: '{count} {count|application|applications} to verify',
    suspectedText:
      '{count} {count|application|applications} caught by a trap for robots {count|waits|wait} for your decision: take it, or erase it. Without a decision, it is erased after 30 days.',
    suspectedLink: 'Verify the applications',
    ownSubject: '[{reference}] Application received',
    received: 'We received your application. Its number is {reference}.',
    next: 'A member of our team reads it and replies to you.',
    rights:
      'Your information is used to assess your application and is erased after {period}. You may see it, have it corrected or withdraw your application by writing to {email}.',
  },
})
