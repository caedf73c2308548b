import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    home: true
  }
}

export const home = defineFeature({
  areas: { home: { fr: 'Bandeau d’urgence et panneau d’information', en: 'Emergency banner and information panel' } },
  presets: { writer: { home: 'read_write' }, supervisor: { home: 'read_write' } },
  actions: [
    {
      path: '/admin/notes#home-message',
      isUsual: true,
      label: { fr: 'Publier le bandeau d’urgence', en: 'Publish the emergency banner' },
      words: { fr: 'message rouge code alerte', en: 'red message code alert' },
      area: 'home',
    },
    {
      path: '/admin/notes#home-information',
      label: { fr: 'Modifier le panneau d’information', en: 'Edit the information panel' },
      words: { fr: 'accueil message', en: 'home message' },
      area: 'home',
    },
  ],
  entries: [
    {
      area: 'home',
      kind: 'home_message',
      label: { fr: 'Bandeau d’urgence', en: 'Emergency banner' },
      path: '/admin/notes',
      richText: ['message', 'message_en'],
      isContent: true,
    },
    {
      area: 'home',
      kind: 'home_information',
      label: { fr: 'Panneau d’information', en: 'Information panel' },
      path: '/admin/notes',
      richText: ['description', 'description_en'],
      isContent: true,
    },
  ],
  liveAreas: ['home'],
  publicPaths: ['/'],
})
