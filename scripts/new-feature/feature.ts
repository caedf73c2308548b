import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    gadgets: true
  }
}

export const gadgets = defineFeature({
  areas: { gadgets: { fr: 'Gadgets', en: 'Gadgets' } },
  admin: [
    {
      path: '/admin/gadgets',
      label: { fr: 'Gadgets', en: 'Gadgets' },
      group: 'website',
      area: 'gadgets',
      panel: { opens: { fr: 'Fiches de la page « Gadgets »', en: 'Entries of the “Gadgets” page' } },
    },
  ],
  entries: [
    {
      area: 'gadgets',
      label: { fr: 'Gadgets, fiche {id}', en: 'Gadgets, entry {id}' },
      path: '/admin/gadgets/:id',
      list: '/api/gadgets',
      isContent: true,
    },
  ],
  liveAreas: ['gadgets'],
  publicPaths: ['/gadgets'],
  audit: { fields: { name_en: { fr: 'Nom (Anglais)', en: 'Name (English)' } } },
})
