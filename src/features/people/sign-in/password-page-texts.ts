import { defineTexts } from '#src/lib/texts.ts'

export const passwordPageTexts = defineTexts({
  fr: {
    title: 'Mot de passe',
    description: 'Choisir ou retrouver le mot de passe de l’administration.',
    chooseTitle: 'Choisir votre mot de passe',
    chooseIntro: 'Il remplace l’ancien et met fin à vos sessions ouvertes.',
    choose: 'Sauvegarder',
    chosen: 'Votre mot de passe est sauvegardé.',
    toLogin: 'Aller à la connexion',
    outOfDate: 'Ce lien n’est plus bon : il a déjà servi ou a plus de 24 heures. Demandez-en un nouveau.',
    forgottenTitle: 'Mot de passe oublié',
    forgottenIntro:
      'Écrivez l’adresse de courriel de votre compte. Si elle est connue, un lien y est envoyé, bon pendant 24 heures.',
    email: 'Courriel',
    ask: 'Envoyer le lien',
    asked: 'Si cette adresse est connue, un courriel est en route. Regardez aussi dans les indésirables.',
    forgotten: 'Mot de passe oublié ?',
  },
  en: {
    title: 'Password',
    description: 'Choose or recover the password of the administration.',
    chooseTitle: 'Choose your password',
    chooseIntro: 'It replaces the old one and ends your open sessions.',
    choose: 'Save',
    chosen: 'Your password is saved.',
    toLogin: 'Go to sign in',
    outOfDate: 'This link is no longer good: it was used already or is more than 24 hours old. Ask for a new one.',
    forgottenTitle: 'Forgotten password',
    forgottenIntro: 'Write the e-mail address of your account. If it is known, a link is sent there, good for 24 hours.',
    email: 'E-mail',
    ask: 'Send the link',
    asked: 'If this address is known, an e-mail is on its way. Look among the junk mail too.',
    forgotten: 'Forgotten password?',
  },
})
