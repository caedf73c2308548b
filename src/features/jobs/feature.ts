import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    jobs: true
  }
}

export const jobs = defineFeature({
  areas: { jobs: { fr: 'Emplois', en: 'Jobs' } },
  presets: { writer: { jobs: 'read_write' }, supervisor: { jobs: 'read_write' } },
  admin: [
    {
      path: '/admin/emplois',
      label: { fr: 'Emplois', en: 'Jobs' },
      group: 'website',
      area: 'jobs',
      panel: { isMain: true, opens: { fr: 'Postes affichés sur le site', en: 'Positions posted on the site' } },
    },
  ],
  actions: [
    {
      path: '/admin/emploi_nouveau',
      isUsual: true,
      label: { fr: 'Ajouter un emploi', en: 'Add a job' },
      words: { fr: 'poste offre embaucher afficher', en: 'posting position hire' },
      area: 'jobs',
    },
  ],
  entries: [
    {
      area: 'jobs',
      label: { fr: 'Emploi {id}', en: 'Job {id}' },
      path: '/admin/emploi_edit/:id',
      list: '/api/jobs/emplois',
      richText: ['description', 'description_en'],
      isContent: true,
    },
    {
      area: 'jobs',
      kind: 'settings',
      label: { fr: 'Ordre des emplois', en: 'Order of the jobs' },
      path: '/admin/emplois',
      needs: { area: 'jobs', level: 'read_write' },
    },
  ],
  liveAreas: ['jobs'],
  publicPaths: ['/emploi'],
  audit: {
    values: {
      employment_type: {
        FULL_TIME: { fr: 'Temps plein', en: 'Full-time' },
        PART_TIME: { fr: 'Temps partiel', en: 'Part-time' },
        CONTRACTOR: { fr: 'Contractuel', en: 'Contract' },
        TEMPORARY: { fr: 'Temporaire', en: 'Temporary' },
        INTERN: { fr: 'Stage', en: 'Internship' },
      },
    },
    fields: {
      ordre: { fr: 'Ordre', en: 'Order' },
      opens_on: { fr: 'Premier jour d’affichage', en: 'Posting start date' },
      closes_on: { fr: 'Dernier jour d’affichage', en: 'Posting end date' },
      employment_type: { fr: 'Type d’emploi', en: 'Employment type' },
    },
  },
})
