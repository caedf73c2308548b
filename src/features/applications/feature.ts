import { defineFeature } from '#src/lib/feature.ts'
import { statusLabels } from './status-labels.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    applications: true
  }
}

export const applications = defineFeature({
  areas: { applications: { fr: 'Candidatures', en: 'Job applications' } },
  presets: { supervisor: { applications: 'administrator' } },
  admin: [
    {
      path: '/admin/candidatures',
      label: { fr: 'Candidatures', en: 'Job applications' },
      group: 'customers',
      area: 'applications',
      panel: { opens: { fr: 'Candidatures reçues par le site', en: 'Job applications received by the site' } },
    },
  ],
  entries: [
    {
      area: 'applications',
      label: { fr: 'Candidature {id}', en: 'Application {id}' },
      path: '/admin/candidatures/:id',
      list: '/api/applications/applications',
    },
  ],
  audit: {
    fields: { job_title: { fr: 'Poste', en: 'Position' }, note_changed: { fr: 'Note modifiée', en: 'Note changed' } },
    values: { application_status: statusLabels },
  },
})
