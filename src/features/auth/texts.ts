import { defineTexts } from '#src/lib/texts.ts'

export const texts = defineTexts({
  fr: {
    title: 'Connexion',
    intro: 'Réservé au personnel. Pour joindre un technicien, utilisez le clavardage ou l’appel de service.',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    login: 'Login',
    code: 'Code',
    codeIntro: 'Entrez le code de votre application d’authentification, ou un code de secours.',
    failed: 'Erreur durant l’authentification',
    failedHint: 'Vérifiez ce que vous avez entré, puis réessayez.',
    limited: 'Trop de tentatives. Attendez quelques minutes avant de réessayer.',
    unreachable: 'Le serveur ne répond pas. Vérifiez votre connexion et réessayez.',
    backToSite: 'Retour au site',
  },
  en: {
    title: 'Sign in',
    intro: 'For staff only. To reach a technician, use the live chat or the service call.',
    username: 'User name',
    password: 'Password',
    login: 'Login',
    code: 'Code',
    codeIntro: 'Enter the code of your authenticator application, or a recovery code.',
    failed: 'Authentication error',
    failedHint: 'Check what you entered, then try again.',
    limited: 'Too many attempts. Wait a few minutes before you try again.',
    unreachable: 'The server does not answer. Check your connection and try again.',
    backToSite: 'Back to the site',
  },
})
