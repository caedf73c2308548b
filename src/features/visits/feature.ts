import { defineFeature } from '#src/lib/feature.ts'

export const visits = defineFeature({
  admin: [
    {
      path: '/admin/frequentation',
      label: { fr: 'Fréquentation', en: 'Visits' },
      group: 'website',
      area: 'company',
      panel: { opens: { fr: 'Visites, sources et campagnes', en: 'Visits, sources and campaigns' } },
    },
  ],
})
