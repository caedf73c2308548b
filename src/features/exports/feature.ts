import { defineFeature } from '#src/lib/feature.ts'

export const exportsFeature = defineFeature({
  admin: [
    {
      path: '/admin/exports',
      label: { fr: 'Exporter', en: 'Export' },
      group: 'system',
      under: '/admin/importer',
      area: 'company',
      level: 'administrator',
      panel: { opens: { fr: 'Toutes les données dans une archive', en: 'All data in one archive' } },
    },
  ],
  entries: [{ area: 'company', kind: 'export', label: { fr: 'Exportation {id}', en: 'Export {id}' } }],
})
