import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    updates: true
  }
}

export const updates = defineFeature({
  areas: { updates: { fr: 'Mises à jour et état du système', en: 'Updates and system health' } },
  presets: { technician: { updates: 'read_only' }, supervisor: { updates: 'read_write' } },
  admin: [
    {
      path: '/admin/parameters/updater',
      label: { fr: 'Annoncer une mise à jour', en: 'Announce an update' },
      group: 'system',
      area: 'updates',
      panel: { opens: { fr: 'Aviser l’équipe et les visiteurs', en: 'Notify the team and visitors' } },
    },
  ],
  entries: [
    { area: 'updates', label: { fr: 'Alerte de mise à jour {id}', en: 'Update alert {id}' }, path: '/admin/parameters/updater' },
  ],
  liveAreas: ['updates'],
  audit: {
    fields: {
      next_update: { fr: 'Prochaine mise à jour', en: 'Next update' },
      ends_at: { fr: 'Fin', en: 'End' },
      duration_minutes: { fr: 'Durée (minutes)', en: 'Duration (minutes)' },
      public: { fr: 'Annoncée aux visiteurs', en: 'Announced to visitors' },
    },
  },
})
