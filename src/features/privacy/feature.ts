import { defineFeature } from '#src/lib/feature.ts'

export const privacy = defineFeature({
  auditAreas: { privacy: { fr: 'Confidentialité', en: 'Privacy' } },
  admin: [
    {
      path: '/admin/privacy',
      label: { fr: 'Confidentialité', en: 'Privacy' },
      group: 'system',
      area: 'audit',
      level: 'administrator',
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
      path: '/admin/incident_nouveau',
      label: { fr: 'Inscrire un incident de confidentialité', en: 'Record a confidentiality incident' },
      words: { fr: 'registre fuite', en: 'register breach' },
      area: 'audit',
      level: 'administrator',
    },
  ],
  entries: [
    {
      area: 'privacy',
      label: { fr: 'Incident de confidentialité {id}', en: 'Confidentiality incident {id}' },
      path: '/admin/incident_edit/:id',
      needs: { area: 'audit', level: 'administrator' },
      list: '/api/privacy/incidents',
    },
  ],
  audit: {
    actions: {
      'export personal data': { fr: 'Renseignements personnels exportés', en: 'Personal information exported' },
      'erase personal data': { fr: 'Renseignements personnels effacés', en: 'Personal information deleted' },
      'apply retention': { fr: 'Durées de conservation appliquées', en: 'Retention periods applied' },
      'create incident': { fr: 'Incident de confidentialité inscrit', en: 'Confidentiality incident recorded' },
      'update incident': { fr: 'Incident de confidentialité modifié', en: 'Confidentiality incident updated' },
    },
  },
})
