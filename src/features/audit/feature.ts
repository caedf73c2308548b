import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    audit: true
  }
}

export const audit = defineFeature({
  areas: { audit: { fr: 'Journal d’audit', en: 'Audit log' } },
  presets: { supervisor: { audit: 'read_only' } },
  admin: [
    {
      path: '/admin/journal',
      label: { fr: 'Journal d’audit', en: 'Audit log' },
      group: 'system',
      area: 'audit',
      panel: { opens: { fr: 'Qui a fait quoi, et quand', en: 'Who did what, and when' } },
    },
  ],
})
