import { defineFeature } from '#src/lib/feature.ts'

export const health = defineFeature({
  admin: [
    {
      path: '/admin/etat',
      label: { fr: 'État du système', en: 'System health' },
      group: 'system',
      area: 'updates',
      panel: {
        opens: { fr: 'Serveur, base de données, courriels, copies de sécurité', en: 'Server, database, emails, backups' },
      },
    },
  ],
})
