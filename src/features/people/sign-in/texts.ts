import { defineTexts } from '#src/lib/language/texts.ts'

export const texts = defineTexts({
  fr: {
    title: 'Connexion',
    intro: 'Réservé au personnel. Pour obtenir du soutien, utilisez le clavardage ou l’appel de service.',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    login: 'Login',
    code: 'Code de vérification',
    codeIntro: 'Entrez le code de votre application d’authentification, ou un code de secours.',
    needsScript: 'L’administration a besoin de JavaScript : activez-le dans votre navigateur, puis rechargez la page.',
    codeLost: 'Aucun code? Un administrateur peut réinitialiser l’authentification à deux facteurs (A2F) de votre compte.',
    failed: 'Erreur durant l’authentification',
    failedHint: 'Vérifiez votre nom d’utilisateur et votre mot de passe, puis réessayez.',
    limited: 'Trop de tentatives. Attendez quelques minutes avant de réessayer.',
    unreachable: 'Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez.',
    backToSite: 'Retour au site',
  },
  en: {
    title: 'Sign in',
    intro: 'For staff only. For support, use live chat or place a service call.',
    username: 'Username',
    password: 'Password',
    login: 'Login',
    code: 'Verification code',
    codeIntro: 'Enter the code of your authenticator application, or a recovery code.',
    needsScript: 'The administration needs JavaScript: turn it on in your browser, then reload the page.',
    codeLost: 'No code? An administrator can reset two-factor authentication (2FA) for your account.',
    failed: 'Sign-in failed',
    failedHint: 'Check your username and password, then try again.',
    limited: 'Too many attempts. Wait a few minutes before you try again.',
    unreachable: 'The server is not responding. Check your connection, then try again.',
    backToSite: 'Back to the site',
  },
})

export const sessionEndedTexts = defineTexts({
  fr: {
    title: 'Connectez-vous pour continuer',
    intro: 'Votre session est terminée. Ce que vous avez écrit est toujours là.',
    other: 'Utiliser un autre compte',
    signIn: 'Se connecter',
  },
  en: {
    title: 'Sign in to continue',
    intro: 'Your session has ended. What you wrote is still there.',
    other: 'Use another account',
    signIn: 'Sign in',
  },
})

export const passwordPageTexts = defineTexts({
  fr: {
    title: 'Mot de passe',
    description: 'Choisir ou retrouver le mot de passe de l’administration.',
    chooseTitle: 'Choisir votre mot de passe',
    chooseIntro: 'Il remplace l’ancien mot de passe et ferme vos sessions ouvertes.',
    choose: 'Sauvegarder le mot de passe',
    chosen: 'Votre mot de passe est sauvegardé.',
    toLogin: 'Aller à la connexion',
    outOfDate: 'Ce lien a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
    forgottenTitle: 'Mot de passe oublié',
    forgottenIntro: 'Entrez l’adresse de courriel de votre compte. Vous recevrez un lien valide pendant 24 heures.',
    email: 'Courriel',
    sendLink: 'Envoyer le lien',
    requested: 'Si cette adresse correspond à un compte, un courriel y sera envoyé. Vérifiez aussi vos courriels indésirables.',
    forgotten: 'Mot de passe oublié?',
  },
  en: {
    title: 'Password',
    description: 'Choose or recover the password of the administration.',
    chooseTitle: 'Choose your password',
    chooseIntro: 'It replaces your old password and signs you out everywhere.',
    choose: 'Save password',
    chosen: 'Your password is saved.',
    toLogin: 'Go to sign in',
    outOfDate: 'This link has expired or was already used. Request a new one.',
    forgottenTitle: 'Forgot password',
    forgottenIntro: 'Enter the email address of your account. You will receive a link that expires in 24 hours.',
    email: 'Email',
    sendLink: 'Send the link',
    requested: 'If this address matches an account, an email will be sent to it. Check your spam folder too.',
    forgotten: 'Forgot your password?',
  },
})

/** Rules and errors of a new password. */
export const passwordTexts = defineTexts({
  fr: {
    oldPassword: 'Mot de passe actuel',
    newPassword: 'Nouveau mot de passe',
    confirmation: 'Confirmer le nouveau mot de passe',
    rules: 'Exigences du mot de passe',
    length: 'Au moins 12 caractères',
    uppercase: 'Une lettre majuscule',
    lowercase: 'Une lettre minuscule',
    digit: 'Un chiffre',
    special: 'Un caractère spécial',
    met: 'respectée',
    notMet: 'à respecter',
    ruleMessage:
      'Le nouveau mot de passe doit compter au moins 12 caractères, dont au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
    notMatching: 'Les mots de passe ne correspondent pas',
    allRequired: 'Tous les champs sont obligatoires',
    tooEasy:
      'Ce mot de passe est trop facile à deviner : il est courant, ou tient à votre nom, à l’entreprise, au lieu ou à la date. Choisissez-en un autre.',
    wrong: 'Mot de passe incorrect.',
    show: 'Afficher les mots de passe',
  },
  en: {
    oldPassword: 'Current password',
    newPassword: 'New password',
    confirmation: 'Confirm new password',
    rules: 'Password requirements',
    length: 'At least 12 characters',
    uppercase: 'One uppercase letter',
    lowercase: 'One lowercase letter',
    digit: 'One number',
    special: 'One special character',
    met: 'met',
    notMet: 'not met yet',
    ruleMessage:
      'The new password must contains at least 12 characters, at least one uppercase letter, one lowercase letter, one number and one special character',
    notMatching: 'Password are not matching',
    allRequired: 'All fields are required',
    tooEasy:
      'This password is too easy to guess: it is common, or built on your name, the company, the place or the date. Choose another one.',
    wrong: 'Incorrect password.',
    show: 'Show the passwords',
  },
})
