import { defineFeature } from '#src/lib/feature.ts'

export const redirects = defineFeature({
  admin: [
    {
      path: '/admin/redirects',
      label: { fr: 'Anciennes adresses', en: 'Old addresses' },
      group: 'system',
      under: '/admin/importer',
      area: 'company',
      panel: { opens: { fr: 'Redirections et adresses demandées en vain', en: 'Redirects and addresses requested in vain' } },
    },
  ],
  actions: [
    {
      path: '/admin/redirects?new',
      label: { fr: 'Ajouter une redirection', en: 'Add a redirect' },
      words: { fr: 'ancienne adresse rediriger lien brisé', en: 'old address redirect broken link' },
      area: 'company',
    },
  ],
  entries: [
    {
      area: 'company',
      kind: 'redirect',
      label: { fr: 'Redirection {id}', en: 'Redirect {id}' },
    },
  ],
  audit: {
    fields: {
      from: { fr: 'Ancienne adresse', en: 'Old address' },
      to: { fr: 'Destination', en: 'Destination' },
    },
  },
})
