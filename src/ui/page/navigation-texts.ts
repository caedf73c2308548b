import { defineTexts } from '#src/lib/language/texts.ts'

export const navigationTexts = defineTexts({
  fr: { youAreHere: 'Vous êtes ici', home: 'Accueil', onThisPage: 'Sur cette page' },
  en: { youAreHere: 'You are here', home: 'Home', onThisPage: 'On this page' },
})
