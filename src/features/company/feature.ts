import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    company: true
  }
}

export const companyFeature = defineFeature({
  areas: { company: { fr: 'Entreprise', en: 'Company' } },
  admin: [
    {
      path: '/admin/entreprise',
      label: { fr: 'Entreprise', en: 'Company' },
      group: 'system',
      area: 'company',
      level: 'read_write',
      panel: { opens: { fr: 'Nom, coordonnées, couleur et logo', en: 'Name, contact details, color and logo' } },
    },
  ],
  entries: [
    {
      area: 'company',
      kind: 'settings',
      label: { fr: 'Entreprise', en: 'Company' },
      path: '/admin/entreprise',
      needs: { area: 'company', level: 'read_write' },
    },
  ],
  liveAreas: ['company'],
  audit: {
    fields: {
      legal_name: { fr: 'Nom légal', en: 'Legal name' },
      toll_free: { fr: 'Sans frais', en: 'Toll-free' },
      quebec_phone: { fr: 'Région de Québec', en: 'Quebec City area' },
      fax: { fr: 'Télécopieur', en: 'Fax' },
      support_email: { fr: 'Courriel du soutien', en: 'Support email' },
      telecom_email: { fr: 'Courriel télécom', en: 'Telecom email' },
      hr_email: { fr: 'Courriel des ressources humaines', en: 'Human resources email' },
      opinion_email: { fr: 'Courriel des opinions', en: 'Opinions email' },
      street: { fr: 'Rue', en: 'Street' },
      city: { fr: 'Ville', en: 'City' },
      postal_code: { fr: 'Code postal', en: 'Postal code' },
      latitude: { fr: 'Latitude', en: 'Latitude' },
      longitude: { fr: 'Longitude', en: 'Longitude' },
      colour: { fr: 'Couleur principale', en: 'Main color' },
      logo: { fr: 'Logo', en: 'Logo' },
      is_default: { fr: 'Valeurs des fichiers', en: 'Values of the files' },
    },
  },
})
