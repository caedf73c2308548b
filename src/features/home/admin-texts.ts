import { defineTexts } from '#src/lib/texts.ts'

export const adminHomeTexts = defineTexts({
  fr: {
    messageTitle: 'Code rouge',
    messageHint:
      'Le bandeau rouge de la page d’accueil. Gardez-le pour les urgences : c’est la seule chose qui crie sur le site.',
    message: 'Message',
    messageEn: 'Message (Anglais)',
    informationTitle: 'Information de l’accueil',
    informationHint: 'Le panneau d’information de la page d’accueil, pour un horaire ou une nouvelle.',
    title: 'Titre',
    titleEn: 'Titre (Anglais)',
    description: 'Description',
    descriptionEn: 'Description (Anglais)',
    shown: 'Affiché',
    notShown: 'Pas affiché',
    remove: 'Supprimer',
    confirmMessage: 'Supprimer le bandeau rouge ?',
    confirmInformation: 'Supprimer le panneau d’information ?',
  },
  en: {
    messageTitle: 'Red code',
    messageHint: 'The red banner of the home page. Keep it for emergencies: it is the only loud thing on the site.',
    message: 'Message',
    messageEn: 'Message (English)',
    informationTitle: 'Home information',
    informationHint: 'The information panel of the home page, for hours or a piece of news.',
    title: 'Title',
    titleEn: 'Title (English)',
    description: 'Description',
    descriptionEn: 'Description (English)',
    shown: 'Shown',
    notShown: 'Not shown',
    remove: 'Delete',
    confirmMessage: 'Delete the red banner?',
    confirmInformation: 'Delete the information panel?',
  },
})
