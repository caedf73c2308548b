import { defineFeature, labelsOf } from '#src/lib/feature.ts'
import { departmentTexts } from './texts.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    employees: true
  }
}

export const employees = defineFeature({
  areas: { employees: { fr: 'Équipe', en: 'Team' } },
  presets: { writer: { employees: 'read_write' }, supervisor: { employees: 'read_write' } },
  admin: [
    {
      path: '/admin/equipe',
      label: { fr: 'Équipe', en: 'Team' },
      group: 'website',
      area: 'employees',
      panel: { isMain: true, opens: { fr: 'Personnes présentées sur le site', en: 'People shown on the site' } },
    },
  ],
  actions: [
    {
      path: '/admin/equipe_nouveau',
      label: { fr: 'Ajouter une personne à l’équipe', en: 'Add a person to the team' },
      words: { fr: 'fiche employé', en: 'record employee' },
      area: 'employees',
    },
  ],
  entries: [
    {
      area: 'employees',
      label: { fr: 'Personne {id}', en: 'Person {id}' },
      path: '/admin/equipe_edit/:id',
      list: '/api/employees/employes',
      isContent: true,
    },
    {
      area: 'employees',
      kind: 'settings',
      label: { fr: 'Ordre de l’équipe', en: 'Order of the team' },
      path: '/admin/equipe',
      needs: { area: 'employees', level: 'read_write' },
    },
  ],
  liveAreas: ['employees'],
  publicPaths: ['/team'],
  audit: {
    values: {
      departement: labelsOf(departmentTexts),
      sousdepartement: labelsOf(departmentTexts),
    },
    fields: {
      ordre: { fr: 'Ordre', en: 'Order' },
      departement: { fr: 'Département', en: 'Department' },
      sousdepartement: { fr: 'Sous département', en: 'Sub-department' },
      photo: { fr: 'Photo', en: 'Photo' },
    },
  },
})
