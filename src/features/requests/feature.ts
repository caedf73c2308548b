import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    requests: true
  }
}

export const requests = defineFeature({
  areas: { requests: { fr: 'Demandes', en: 'Requests' } },
  presets: { technician: { requests: 'read_write' }, supervisor: { requests: 'administrator' } },
  admin: [
    {
      path: '/admin/demandes',
      label: { fr: 'Demandes', en: 'Requests' },
      group: 'customers',
      area: 'requests',
      panel: {
        opens: { fr: 'Formulaires, messages et conversations à suivre', en: 'Forms, messages and conversations to follow up' },
      },
    },
  ],
  actions: [
    {
      path: '/admin/demandes/settings',
      label: { fr: 'Régler les délais et les modèles des demandes', en: 'Set the goals and templates of requests' },
      words: { fr: 'réglages paramètres', en: 'settings' },
      area: 'requests',
      level: 'administrator',
    },
  ],
  entries: [
    {
      area: 'requests',
      label: { fr: 'Demande {id}', en: 'Request {id}' },
      path: '/admin/demandes/:id',
      list: '/api/requests/requests',
    },
    {
      area: 'requests',
      kind: 'settings',
      label: { fr: 'Réglages', en: 'Settings' },
      path: '/admin/demandes/settings',
      needs: { area: 'requests', level: 'administrator' },
    },
  ],
  publicPaths: ['/appel-de-service'],
  secretPaths: ['/suivi/'],
  audit: {
    actions: {
      comment: { fr: 'Commentaire', en: 'Comment' },
      'mail accept': { fr: 'Courriel accepté', en: 'Email accepted' },
      'mail dismiss': { fr: 'Courriel classé', en: 'Email dismissed' },
      merge: { fr: 'Fusion', en: 'Merge' },
      unmerge: { fr: 'Fusion annulée', en: 'Merge undone' },
      link: { fr: 'Liaison', en: 'Link' },
      split: { fr: 'Séparation', en: 'Split' },
      'block sender': { fr: 'Expéditeur bloqué', en: 'Sender blocked' },
      'unblock sender': { fr: 'Expéditeur débloqué', en: 'Sender unblocked' },
      reply: { fr: 'Réponse au client', en: 'Reply to the customer' },
      rectify: { fr: 'Coordonnées corrigées', en: 'Contact details corrected' },
      hold: { fr: 'Gel juridique', en: 'Legal hold' },
      release: { fr: 'Gel juridique levé', en: 'Legal hold released' },
      mail_retry: { fr: 'Courriel renvoyé', en: 'Email resent' },
    },
    fields: {
      reference: { fr: 'Numéro de demande', en: 'Request number' },
      on_hold: { fr: 'Gel juridique', en: 'Legal hold' },
      corrected: { fr: 'Corrigé', en: 'Corrected' },
      reason: { fr: 'Motif', en: 'Reason' },
      phone: { fr: 'Téléphone', en: 'Phone' },
    },
  },
})
