import { defineTexts } from '#src/lib/language/texts.ts'

export const adminGadgetTexts = defineTexts({
  fr: {
    title: 'Gadgets',
    createTitle: 'Nouvelle fiche',
    name: 'Nom',
    nameEn: 'Nom (Anglais)',
    description: 'Description',
    descriptionEn: 'Description (Anglais)',
    empty: 'Aucune fiche pour le moment',
    emptyHint: 'Cliquez sur Nouveau pour ajouter une première fiche.',
  },
  en: {
    title: 'Gadgets',
    createTitle: 'New entry',
    name: 'Name',
    nameEn: 'Name (English)',
    description: 'Description',
    descriptionEn: 'Description (English)',
    empty: 'No entries yet',
    emptyHint: 'Select New to add the first entry.',
  },
})
