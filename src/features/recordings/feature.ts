import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    recordings: true
  }
}

export const recordings = defineFeature({
  areas: { recordings: { fr: 'Enregistrements d’appels', en: 'Call recordings' } },
  presets: { technician: { recordings: 'read_only' }, supervisor: { recordings: 'read_write' } },
  admin: [
    {
      path: '/admin/recordings',
      label: { fr: 'Enregistrements d’appels', en: 'Call recordings' },
      group: 'customers',
      area: 'recordings',
      panel: { opens: { fr: 'Chercher, écouter et conserver les appels', en: 'Find, play and keep calls' } },
    },
  ],
  actions: [
    {
      path: '/admin/recordings/settings',
      label: { fr: 'Régler les droits sur les enregistrements', en: 'Set the rights on recordings' },
      words: { fr: 'réglages paramètres', en: 'settings' },
      area: 'recordings',
      level: 'administrator',
    },
  ],
  entries: [
    { area: 'recordings', label: { fr: 'Enregistrement {id}', en: 'Recording {id}' } },
    {
      area: 'recordings',
      kind: 'settings',
      label: { fr: 'Réglages', en: 'Settings' },
      path: '/admin/recordings/settings',
      needs: { area: 'recordings', level: 'administrator' },
    },
  ],
  audit: {
    actions: {
      import: { fr: 'Importation', en: 'Imported' },
      play: { fr: 'Enregistrement écouté', en: 'Recording played' },
      download: { fr: 'Enregistrement téléchargé', en: 'Recording downloaded' },
      hold: { fr: 'Gel juridique', en: 'Legal hold' },
      release: { fr: 'Gel juridique levé', en: 'Legal hold released' },
    },
    fields: {
      date: { fr: 'Date', en: 'Date' },
      direction: { fr: 'Sens', en: 'Direction' },
      duration: { fr: 'Durée (s)', en: 'Duration (s)' },
      on_hold: { fr: 'Gel juridique', en: 'Legal hold' },
      play: { fr: 'Droit d’écoute', en: 'Right to listen' },
      download: { fr: 'Droit de téléchargement', en: 'Right to download' },
      delete: { fr: 'Droit de suppression', en: 'Right to delete' },
    },
  },
})
