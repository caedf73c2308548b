import { defineTexts } from '#src/lib/language/texts.ts'

export const adminNoteTexts = defineTexts({
  fr: {
    title: 'Notes et bandeaux',
    listTitle: 'Avis de service',
    createTitle: 'Nouvel avis de service',
    editTitle: 'Modifier l’avis de service',
    edit: 'Editer',
    date: 'Date',
    dateHint: 'Texte libre, affiché tel quel dans les deux langues, par exemple : 2026-11-20, 8:40.',
    note: 'Note',
    noteEn: 'Note (Anglais)',
    unnamed: 'note sans date',
    empty: 'Aucun avis de service pour le moment',
    emptyHint: 'Les avis annoncent un entretien ou une panne au bas de la page « État du réseau ».',
    noticesTitle: 'Avis de service',
  },
  en: {
    title: 'Notes and banners',
    listTitle: 'Service notices',
    createTitle: 'New service notice',
    editTitle: 'Edit service notice',
    edit: 'Edit',
    date: 'Date',
    dateHint: 'Free text, shown as is in both languages, for example: 2026-11-20, 8:40.',
    note: 'Note',
    noteEn: 'Note (English)',
    unnamed: 'undated note',
    empty: 'No service notices yet',
    emptyHint: 'Notices announce maintenance or an outage at the bottom of the Network status page.',
    noticesTitle: 'Service notices',
  },
})
