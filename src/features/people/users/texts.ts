import { defineTexts } from '#src/lib/language/texts.ts'

/** Emails about accounts, in both languages: the language of a new user is unknown. */
export const mailTexts = defineTexts({
  fr: {
    invitationSubject: 'Votre accès à l’administration de {company}',
    invitation:
      'Bonjour {name},\n\n{author} vous a donné accès à l’administration de {company}. Votre nom d’utilisateur est {username}.\n\nChoisissez votre mot de passe dans les 24 heures :\n{link}\n\nPassé ce délai, demandez une nouvelle invitation.',
    newPassword:
      'Bonjour {name},\n\n{author} vous demande de choisir un nouveau mot de passe pour le compte {username}.\n\nChoisissez-le dans les 24 heures :\n{link}\n\nD’ici là, votre mot de passe actuel reste valide.',
    forgottenSubject: 'Choisir un nouveau mot de passe',
    forgotten:
      'Bonjour {name},\n\nNous avons reçu une demande de nouveau mot de passe pour le compte {username}.\n\nChoisissez-le dans les 24 heures :\n{link}\n\nSi vous n’avez rien demandé, ignorez ce message : votre mot de passe actuel reste valide.',
    noticeSubject: 'Votre compte d’administration a été modifié',
    passwordChanged:
      'Bonjour {name},\n\nLe mot de passe de {username} vient d’être changé et ses sessions sont terminées.\n\nSi ce n’était pas vous, demandez un nouveau mot de passe sur la page de connexion et écrivez à {security}.',
    emailChanged:
      'Bonjour {name},\n\nL’adresse de courriel de {username} vient d’être changée. Ce message est le dernier envoyé à l’ancienne adresse.\n\nSi vous ne l’avez pas demandé, écrivez à {security}.',
    emailAdded:
      'Bonjour {name},\n\nCette adresse est maintenant celle du compte {username} de l’administration de {company}. Les liens pour choisir un nouveau mot de passe y seront envoyés.\n\nSi vous ne l’avez pas demandé, écrivez à {security}.',
    usernameChanged:
      'Bonjour {name},\n\nVotre nom d’utilisateur est maintenant {username}. Utilisez-le pour vous connecter.\n\nSi vous ne l’avez pas demandé, écrivez à {security}.',
    codesRenewed:
      'Bonjour {name},\n\nDe nouveaux codes de secours ont été créés pour le compte {username}. Les anciens ne sont plus valides et les autres sessions sont fermées.\n\nSi ce n’était pas vous, demandez un nouveau mot de passe sur la page de connexion et écrivez à {security}.',
    totpTurnedOn:
      'Bonjour {name},\n\nL’authentification à deux facteurs est maintenant active pour {username}.\n\nSi ce n’était pas vous, écrivez à {security}.',
    totpTurnedOff:
      'Bonjour {name},\n\nL’authentification à deux facteurs de {username} vient d’être retirée.\n\nSi vous ne l’avez pas demandé, écrivez à {security}.',
    chancesSpent:
      'Bonjour {name},\n\nCinq codes incorrects ont été entrés pour le compte {username} après le bon mot de passe. La connexion est bloquée jusqu’à ce qu’un administrateur réinitialise les tentatives.\n\nSi ce n’était pas vous, quelqu’un connaît votre mot de passe : changez-le et écrivez à {security}.',
  },
  en: {
    invitationSubject: 'Your access to the administration of {company}',
    invitation:
      'Hello {name},\n\n{author} gave you access to the {company} administration. Your username is {username}.\n\nChoose your password within 24 hours:\n{link}\n\nAfter that, ask for a new invitation.',
    newPassword:
      'Hello {name},\n\n{author} asks you to choose a new password for the account {username}.\n\nChoose it within 24 hours:\n{link}\n\nUntil then, your current password remains valid.',
    forgottenSubject: 'Choose a new password',
    forgotten:
      'Hello {name},\n\nWe received a request for a new password for the account {username}.\n\nChoose it within 24 hours:\n{link}\n\nIf you did not request this, ignore this message: your current password remains valid.',
    noticeSubject: 'Your administration account was changed',
    passwordChanged:
      'Hello {name},\n\nThe password of {username} was just changed and its sessions have ended.\n\nIf it was not you, ask for a new password on the sign-in page and write to {security}.',
    emailChanged:
      'Hello {name},\n\nThe email address of {username} was just changed. This message is the last one sent to the old address.\n\nIf you did not ask for this, write to {security}.',
    emailAdded:
      'Hello {name},\n\nThis address now belongs to the account {username} of the {company} administration. Links to choose a new password will be sent to it.\n\nIf you did not request this, write to {security}.',
    usernameChanged:
      'Hello {name},\n\nYour username is now {username}. Use it to sign in.\n\nIf you did not request this, write to {security}.',
    codesRenewed:
      'Hello {name},\n\nNew recovery codes were created for the account {username}. The old ones are no longer valid and the other sessions have ended.\n\nIf this was not you, ask for a new password on the sign-in page and write to {security}.',
    totpTurnedOn:
      'Hello {name},\n\nTwo-factor authentication is now on for {username}.\n\nIf it was not you, write to {security}.',
    totpTurnedOff:
      'Hello {name},\n\nTwo-factor authentication was just removed from {username}.\n\nIf you did not ask for this, write to {security}.',
    chancesSpent:
      'Hello {name},\n\nFive incorrect codes were entered for the account {username} after the correct password. Sign-in is blocked until an administrator resets the 2FA chances.\n\nIf this was not you, someone knows your password: change it and write to {security}.',
  },
})
