import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    chat: true
  }
}

export const chat = defineFeature({
  areas: { chat: { fr: 'Clavardage', en: 'Live chat' } },
  presets: { technician: { chat: 'read_write' }, supervisor: { chat: 'administrator' } },
  admin: [
    {
      path: '/admin/chat',
      label: { fr: 'Clavardage', en: 'Live chat' },
      group: 'customers',
      area: 'chat',
      panel: { opens: { fr: 'Répondre aux visiteurs du site', en: 'Reply to visitors of the site' } },
    },
    {
      path: '/admin/chat/figures',
      label: { fr: 'Statistiques du clavardage', en: 'Chat reports' },
      group: 'customers',
      area: 'chat',
      level: 'administrator',
      panel: { opens: { fr: 'Délais, évaluations et volumes d’une période', en: 'Times, ratings and volumes over a period' } },
    },
    {
      path: '/admin/chat/settings',
      label: { fr: 'Réglages du clavardage', en: 'Chat settings' },
      group: 'customers',
      area: 'chat',
      level: 'administrator',
      panel: { opens: { fr: 'Heures, messages, sites autorisés', en: 'Hours, messages, allowed sites' } },
    },
  ],
  actions: [
    {
      path: '/admin/chat/replies/new',
      label: { fr: 'Ajouter une réponse prédéfinie', en: 'Add a canned response' },
      area: 'chat',
    },
    {
      path: '/admin/chat/replies',
      label: { fr: 'Gérer les réponses prédéfinies', en: 'Manage canned responses' },
      area: 'chat',
    },
    {
      path: '/admin/chat/blocks',
      label: { fr: 'Voir les visiteurs bloqués', en: 'View blocked visitors' },
      words: { fr: 'débloquer', en: 'unblock' },
      area: 'chat',
      level: 'read_only',
    },
  ],
  entries: [
    { area: 'chat', label: { fr: 'Conversation {id}', en: 'Conversation {id}' } },
    {
      area: 'chat',
      kind: 'canned',
      label: { fr: 'Réponse prédéfinie {id}', en: 'Canned response {id}' },
      path: '/admin/chat/replies/:id',
      list: '/api/chat/canned_replies',
      isContent: true,
    },
    {
      area: 'chat',
      kind: 'blocks',
      label: { fr: 'Visiteur bloqué {id}', en: 'Blocked visitor {id}' },
      path: '/admin/chat/blocks',
    },
    {
      area: 'chat',
      kind: 'settings',
      label: { fr: 'Réglages', en: 'Settings' },
      path: '/admin/chat/settings',
      needs: { area: 'chat', level: 'administrator' },
    },
  ],
  audit: {
    actions: {
      block: { fr: 'Visiteur bloqué', en: 'Visitor blocked' },
      unblock: { fr: 'Visiteur débloqué', en: 'Visitor unblocked' },
      'turn into request': { fr: 'Conversation convertie en demande', en: 'Conversation converted to a request' },
    },
    fields: {
      shortcut: { fr: 'Raccourci', en: 'Shortcut' },
      reply: { fr: 'Texte de la réponse', en: 'Response text' },
      reply_en: { fr: 'Texte de la réponse (Anglais)', en: 'Response text (English)' },
      reason: { fr: 'Motif', en: 'Reason' },
      until: { fr: 'Jusqu’au', en: 'Until' },
      by_email: { fr: 'Par courriel', en: 'By email' },
      by_address: { fr: 'Par adresse IP', en: 'By IP address' },
    },
  },
})
