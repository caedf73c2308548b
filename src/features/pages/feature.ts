import { defineFeature } from '#src/lib/feature.ts'

export const pages = defineFeature({
  admin: [
    {
      path: '/admin/textes',
      label: { fr: 'Textes du site', en: 'Texts of the site' },
      group: 'website',
      area: 'company',
      level: 'read_write',
      panel: {
        opens: {
          fr: 'Politique, pages de services et tutoriels',
          en: 'Policy, service pages and tutorials',
        },
      },
    },
  ],
  entries: [
    {
      area: 'company',
      kind: 'text',
      label: { fr: 'Texte {id}', en: 'Text {id}' },
      path: '/admin/texte_edit/:id',
      list: '/api/site/long_texts',
      isContent: true,
    },
  ],
  audit: {
    fields: {
      introduction: { fr: 'Introduction', en: 'Introduction' },
      introduction_en: { fr: 'Introduction (Anglais)', en: 'Introduction (English)' },
      texte: { fr: 'Texte', en: 'Text' },
      texte_en: { fr: 'Texte (Anglais)', en: 'Text (English)' },
      path: { fr: 'Page', en: 'Page' },
    },
  },
  frenchPaths: [
    '/telecom/phone_tutorial',
    '/telecom/portal_personnal_tutorial',
    '/telecom/soft_phone_tutorial',
    '/telecom/soft_phone_cell_tutorial',
  ],
  publicPaths: [
    '/about',
    '/wayOfLife',
    '/about/personal_information',
    '/about/accessibility',
    '/cloud',
    '/service',
    '/programmation',
    '/infrastructure',
    '/support',
    '/telecom/docs',
    '/telecom/phone_tutorial',
    '/telecom/portal_personnal_tutorial',
    '/telecom/soft_phone_tutorial',
    '/telecom/soft_phone_cell_tutorial',
    '/contact',
  ],
})
