import { defineTexts } from '#src/lib/texts.ts'

/** Mails about accounts; both languages go in one mail, since nobody knows yet which one a new person reads. */
export const mailTexts = defineTexts({
  fr: {
    invitationSubject: 'Votre accès à l’administration de {company}',
    invitation:
      'Bonjour {name},\n\n{author} vous a créé un accès à l’administration de {company}. Votre nom d’utilisateur est {username}.\n\nChoisissez votre mot de passe dans les 24 heures :\n{link}\n\nPassé ce délai, demandez une nouvelle invitation.',
    forgottenSubject: 'Choisir un nouveau mot de passe',
    forgotten:
      'Bonjour {name},\n\nQuelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {username}.\n\nChoisissez-le dans les 24 heures :\n{link}\n\nSi ce n’était pas vous, ne faites rien : votre mot de passe actuel reste bon.',
  },
  en: {
    invitationSubject: 'Your access to the administration of {company}',
    invitation:
      'Hello {name},\n\n{author} created an access for you to the administration of {company}. Your user name is {username}.\n\nChoose your password within 24 hours:\n{link}\n\nAfter that, ask for a new invitation.',
    forgottenSubject: 'Choose a new password',
    forgotten:
      'Hello {name},\n\nSomeone, probably you, asked for a new password for {username}.\n\nChoose it within 24 hours:\n{link}\n\nIf it was not you, do nothing: your current password stays good.',
  },
})
