import { defineTexts } from '#src/lib/language/texts.ts'

/** The form below a posting. */
export const applicationFormTexts = defineTexts({
  fr: {
    title: 'Poser votre candidature',
    lead: 'Écrivez-nous ici, ou à {email}. Nous répondons à chaque personne.',
    firstname: 'Prénom',
    lastname: 'Nom',
    message: 'Message',
    messageHint: 'Ce qui vous attire dans ce poste, vos disponibilités.',
    files: 'Curriculum vitæ et lettre',
    filesHint:
      'PDF, Word ou ODT, {count} fichiers et {size} au plus. Si la page s’affiche de nouveau, choisissez-les une autre fois.',
    send: 'Envoyer ma candidature',
    notice:
      'Vos renseignements servent à évaluer votre candidature; seules les personnes qui recrutent les voient. Ils sont effacés après {period}. Vous pouvez les consulter, les faire corriger ou retirer votre candidature en écrivant à {email}.',
    noticeLink: 'Renseignements personnels',
  },
  en: {
    title: 'Apply',
    lead: 'Write to us here, or at {email}. We reply to everyone.',
    firstname: 'First name',
    lastname: 'Last name',
    message: 'Message',
    messageHint: 'What appeals to you in this position, when you are available.',
    files: 'Résumé and letter',
    filesHint: 'PDF, Word or ODT, {count} files and {size} at most. If the page is shown again, choose them once more.',
    send: 'Send my application',
    notice:
      'Your information is used to assess your application; only the people who recruit see it. It is erased after {period}. You may see it, have it corrected or withdraw your application by writing to {email}.',
    noticeLink: 'Personal information',
  },
})
