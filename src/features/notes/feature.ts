import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    notes: true
  }
}

export const notes = defineFeature({
  areas: { notes: { fr: 'Avis de service', en: 'Service notices' } },
  presets: { technician: { notes: 'read_write' }, writer: { notes: 'read_write' }, supervisor: { notes: 'read_write' } },
  admin: [
    {
      path: '/admin/notes',
      label: { fr: 'Notes et bandeaux', en: 'Notes and banners' },
      group: 'website',
      area: 'notes',
      or: 'home',
      panel: {
        isMain: true,
        label: { fr: 'Notes', en: 'Notes' },
        opens: {
          fr: 'Bandeau d’urgence, panneau d’information, avis de service',
          en: 'Emergency banner, information panel, service notices',
        },
      },
    },
  ],
  actions: [
    {
      path: '/admin/note_nouveau',
      label: { fr: 'Ajouter un avis de service', en: 'Add a service notice' },
      words: { fr: 'note publier écrire', en: 'note publish write' },
      area: 'notes',
    },
  ],
  entries: [
    {
      area: 'notes',
      label: { fr: 'Avis de service {id}', en: 'Service notice {id}' },
      path: '/admin/note_edit/:id',
      list: '/api/notes/notes',
      isContent: true,
    },
  ],
  liveAreas: ['notes'],
  publicPaths: ['/reseau/avis'],
  audit: {
    fields: {
      note_date: { fr: 'Date', en: 'Date' },
      note: { fr: 'Note', en: 'Note' },
      note_en: { fr: 'Note (Anglais)', en: 'Note (English)' },
    },
  },
})
