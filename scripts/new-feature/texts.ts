import { defineTexts } from '#src/lib/language/texts.ts'

export const texts = defineTexts({
  fr: {
    title: 'Gadgets',
    metaDescription: 'Tout ce qui se trouve à la page « Gadgets » de notre site.',
    empty: 'Il n’y a rien à afficher pour le moment',
    emptyHint: 'Cette page se remplit au fil des semaines.',
  },
  en: {
    title: 'Gadgets',
    metaDescription: 'Everything on the “Gadgets” page of our site.',
    empty: 'There is nothing to show at the moment',
    emptyHint: 'This page fills up week after week.',
  },
})
