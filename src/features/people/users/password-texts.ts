import { defineTexts } from '#src/lib/language/texts.ts'

/** Choosing a password: the rules and refusals of. */
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
