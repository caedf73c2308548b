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
  actions: [
    {
      path: '/admin/recherche_partage',
      label: { fr: 'Recherche et partage', en: 'Search and sharing' },
      words: {
        fr: 'référencement SEO titre description moteur Google carte image',
        en: 'SEO title description engine Google card picture',
      },
      area: 'company',
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
    {
      area: 'company',
      kind: 'page',
      label: { fr: 'Recherche et partage', en: 'Search and sharing' },
      path: '/admin/recherche_partage/:id',
      needs: { area: 'company', level: 'read_write' },
    },
  ],
  audit: {
    fields: {
      introduction: { fr: 'Introduction', en: 'Introduction' },
      introduction_en: { fr: 'Introduction (Anglais)', en: 'Introduction (English)' },
      texte: { fr: 'Texte', en: 'Text' },
      texte_en: { fr: 'Texte (Anglais)', en: 'Text (English)' },
      path: { fr: 'Page', en: 'Page' },
      picture: { fr: 'Image de partage', en: 'Sharing picture' },
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
