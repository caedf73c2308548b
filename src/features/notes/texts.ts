import { defineTexts } from '#src/lib/texts.ts'

export const adminNoteTexts = defineTexts({
  fr: {
    title: 'Notes',
    listTitle: 'Notes d’état de service',
    createTitle: 'Nouvelle note',
    editTitle: 'Modifier la note',
    edit: 'Editer',
    date: 'Date',
    dateHint: 'Comme vous voulez la lire dans les deux langues, par exemple : 2026-11-20, 8:40.',
    note: 'Note',
    noteEn: 'Note (Anglais)',
    unnamed: 'note sans date',
    empty: 'Aucune note pour le moment',
    emptyHint: 'Une note annonce un entretien ou raconte une panne, au bas de la page de l’état du réseau.',
    noticesTitle: 'Avis de service',
  },
  en: {
    title: 'Notes',
    listTitle: 'Service-status notes',
    createTitle: 'New note',
    editTitle: 'Edit the note',
    edit: 'Edit',
    date: 'Date',
    dateHint: 'As you want it to read in both languages, for example: 2026-11-20, 8:40.',
    note: 'Note',
    noteEn: 'Note (English)',
    unnamed: 'undated note',
    empty: 'No note yet',
    emptyHint: 'A note announces maintenance or tells about an outage, at the foot of the network status page.',
    noticesTitle: 'Service notices',
  },
})
