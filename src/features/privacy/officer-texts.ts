import { defineTexts } from '#src/lib/language/texts.ts'

export const officerTexts = defineTexts({
  fr: {
    title: 'Responsable de la protection',
    intro: 'La politique et les avis des formulaires donnent ce nom et cette adresse. Un changement paraît aussitôt.',
    seePolicy: 'Voir la politique',
    change: 'Changer de responsable',
    name: 'Nom',
    role: 'Titre',
    roleEn: 'Titre (Anglais)',
    email: 'Courriel',
    changed: 'Quelqu’un vient d’y inscrire {name} ({email}). Sauvegardez de nouveau pour garder votre version.',
    save: 'Sauvegarder le responsable',
    cancel: 'Annuler',
  },
  en: {
    title: 'Privacy officer',
    intro: 'The policy and the notices of forms give this name and address. A change appears at once.',
    seePolicy: 'View the policy',
    change: 'Change the officer',
    name: 'Name',
    role: 'Title',
    roleEn: 'Title (English)',
    email: 'Email',
    changed: 'Somebody has just entered {name} ({email}). Save again to keep your version.',
    save: 'Save the officer',
    cancel: 'Cancel',
  },
})
