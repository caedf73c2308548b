import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    networks: true
  }
}

export const networks = defineFeature({
  areas: { networks: { fr: 'Réseau statut', en: 'Network status' } },
  presets: {
    technician: { networks: 'read_write' },
    writer: { networks: 'read_only' },
    supervisor: { networks: 'administrator' },
  },
  admin: [
    {
      path: '/admin/reseau',
      label: { fr: 'Réseau statut', en: 'Network status' },
      group: 'website',
      area: 'networks',
      panel: {
        isMain: true,
        opens: { fr: 'Réseaux et statut de leurs éléments', en: 'Networks and the status of their components' },
      },
    },
    {
      path: '/admin/reseau/pannes',
      label: { fr: 'Pannes', en: 'Outages' },
      group: 'website',
      area: 'networks',
      panel: { opens: { fr: 'Déclarer une panne, suivre celles en cours', en: 'Declare an outage, follow the open ones' } },
    },
    {
      path: '/admin/reseau/surveillance',
      label: { fr: 'Surveillance', en: 'Monitoring' },
      group: 'website',
      area: 'networks',
      level: 'administrator',
      panel: { opens: { fr: 'Sondes qui vérifient les réseaux', en: 'Monitors that check the networks' } },
    },
    {
      path: '/admin/reseau/abonnes',
      label: { fr: 'Abonnés', en: 'Subscribers' },
      group: 'website',
      area: 'networks',
      level: 'read_write',
      panel: { opens: { fr: 'Personnes avisées des pannes par courriel', en: 'People notified of outages by email' } },
    },
    {
      path: '/admin/annonces',
      label: { fr: 'Annonces', en: 'Announcements' },
      group: 'website',
      area: 'company',
      level: 'read_write',
      panel: { opens: { fr: 'Nouvelles envoyées aux abonnés par courriel', en: 'News sent to subscribers by email' } },
    },
  ],
  actions: [
    {
      path: '/admin/reseau/pannes/nouvelle',
      isUsual: true,
      label: { fr: 'Déclarer une panne', en: 'Declare an outage' },
      words: { fr: 'signaler incident interruption mettre en panne', en: 'report incident down put' },
      area: 'networks',
    },
    {
      path: '/admin/annonce_nouvelle',
      label: { fr: 'Écrire une annonce', en: 'Write an announcement' },
      words: { fr: 'infolettre nouvelle courriel abonnés', en: 'newsletter news email subscribers' },
      area: 'company',
    },
    {
      path: '/admin/reseau_nouveau',
      label: { fr: 'Ajouter un réseau', en: 'Add a network' },
      area: 'networks',
    },
    {
      path: '/admin/reseau/surveillance/nouvelle',
      label: { fr: 'Ajouter une sonde', en: 'Add a monitor' },
      words: { fr: 'surveiller', en: 'check watch' },
      area: 'networks',
      level: 'administrator',
    },
  ],
  entries: [
    {
      area: 'networks',
      label: { fr: 'Réseau {id}', en: 'Network {id}' },
      path: '/admin/reseau_edit/:id',
      list: '/api/networks/reseau',
      isContent: true,
    },
    {
      area: 'networks',
      kind: 'incident',
      label: { fr: 'Panne {id}', en: 'Outage {id}' },
      path: '/admin/reseau/pannes/:id',
    },
    {
      area: 'networks',
      kind: 'monitor',
      label: { fr: 'Sonde {id}', en: 'Monitor {id}' },
      path: '/admin/reseau/surveillance/:id',
    },
    {
      area: 'networks',
      kind: 'subscriber',
      label: { fr: 'Abonné {id}', en: 'Subscriber {id}' },
      path: '/admin/reseau/abonnes',
      needs: { area: 'networks', level: 'read_write' },
    },
    {
      area: 'company',
      kind: 'announcement',
      label: { fr: 'Annonce {id}', en: 'Announcement {id}' },
      path: '/admin/annonces',
      needs: { area: 'company', level: 'read_write' },
      richText: ['text', 'text_en'],
    },
  ],
  liveAreas: ['networks'],
  publicPaths: ['/reseau'],
  secretPaths: ['/api/networks/signals/', '/reseau/abonnement/'],
  audit: {
    values: {
      statut: {
        OK: { fr: 'OK', en: 'OK' },
        WARNING: { fr: 'Avertissement', en: 'Warning' },
        ERROR: { fr: 'Erreur', en: 'Error' },
      },
      status: {
        ONLINE: { fr: 'En ligne', en: 'Online' },
        OFFLINE: { fr: 'Hors ligne', en: 'Offline' },
      },
    },
    actions: {
      'renew address': { fr: 'Adresse renouvelée', en: 'Address renewed' },
      'correct subscriber': { fr: 'Adresse d’un abonné corrigée', en: 'Subscriber address corrected' },
      'pause subscriber': { fr: 'Envois suspendus', en: 'Sending paused' },
      'resume subscriber': { fr: 'Envois repris', en: 'Sending resumed' },
      'remove subscriber': { fr: 'Abonné supprimé', en: 'Subscriber deleted' },
      'send announcement': { fr: 'Annonce envoyée', en: 'Announcement sent' },
      'undo announcement': { fr: 'Annonce annulée', en: 'Announcement canceled' },
    },
    fields: {
      details: { fr: 'Éléments', en: 'Components' },
      subject: { fr: 'Objet', en: 'Subject' },
      subject_en: { fr: 'Objet (Anglais)', en: 'Subject (English)' },
      text: { fr: 'Texte', en: 'Text' },
      text_en: { fr: 'Texte (Anglais)', en: 'Text (English)' },
    },
  },
})
