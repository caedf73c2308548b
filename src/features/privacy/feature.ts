import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    privacy: true
  }
}

export const privacy = defineFeature({
  areas: { privacy: { fr: 'Confidentialité', en: 'Privacy' } },
  admin: [
    {
      path: '/admin/privacy',
      label: { fr: 'Confidentialité', en: 'Privacy' },
      group: 'system',
      area: 'privacy',
      panel: {
        opens: {
          fr: 'Renseignements d’une personne, registre des incidents',
          en: 'Information about a person, incident register',
        },
      },
    },
  ],
  actions: [
    {
      path: '/admin/registre_nouveau',
      label: { fr: 'Inscrire une demande à propos de renseignements', en: 'Record a request about information' },
      words: { fr: 'registre accès rectification loi 25', en: 'register access rectification law 25' },
      area: 'privacy',
    },
    {
      path: '/admin/incident_nouveau',
      label: { fr: 'Inscrire un incident de confidentialité', en: 'Record a confidentiality incident' },
      words: { fr: 'registre fuite', en: 'register breach' },
      area: 'privacy',
    },
  ],
  entries: [
    {
      area: 'privacy',
      label: { fr: 'Incident de confidentialité {id}', en: 'Confidentiality incident {id}' },
      path: '/admin/incident_edit/:id',
      needs: { area: 'privacy', level: 'read_only' },
      list: '/api/privacy/incidents',
    },
  ],
  audit: {
    actions: {
      search: { fr: 'Recherche des renseignements d’une personne', en: 'Search for a person’s information' },
      'export personal data': { fr: 'Renseignements personnels exportés', en: 'Personal information exported' },
      'erase personal data': { fr: 'Renseignements personnels effacés', en: 'Personal information deleted' },
      'update officer': { fr: 'Responsable de la protection modifié', en: 'Privacy officer changed' },
      'apply retention': { fr: 'Durées de conservation appliquées', en: 'Retention periods applied' },
      'create demand': { fr: 'Demande inscrite au registre', en: 'Request recorded in the register' },
      'update demand': { fr: 'Demande du registre modifiée', en: 'Request of the register updated' },
      'create incident': { fr: 'Incident de confidentialité inscrit', en: 'Confidentiality incident recorded' },
      'update incident': { fr: 'Incident de confidentialité modifié', en: 'Confidentiality incident updated' },
    },
  },
})
