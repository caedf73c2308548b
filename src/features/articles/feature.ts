import { defineFeature } from '#src/lib/feature.ts'

declare module '#src/lib/rights.ts' {
  interface Areas {
    articles: true
  }
}

export const articles = defineFeature({
  areas: { articles: { fr: 'Articles d’aide', en: 'Help articles' } },
  presets: { technician: { articles: 'read_only' }, writer: { articles: 'read_write' }, supervisor: { articles: 'read_write' } },
  admin: [
    {
      path: '/admin/articles',
      label: { fr: 'Articles d’aide', en: 'Help articles' },
      group: 'website',
      area: 'articles',
      panel: { opens: { fr: 'Réponses aux questions des clients', en: 'Answers to customers’ questions' } },
    },
    {
      path: '/admin/articles/search',
      label: { fr: 'Recherche du site', en: 'Site search' },
      group: 'website',
      area: 'articles',
      panel: { opens: { fr: 'Recherches sans résultat et glossaire', en: 'Searches without results and glossary' } },
    },
  ],
  actions: [
    {
      path: '/admin/articles/new',
      label: { fr: 'Écrire un article d’aide', en: 'Write a help article' },
      words: { fr: 'ajouter nouveau', en: 'add new' },
      area: 'articles',
    },
  ],
  entries: [
    {
      area: 'articles',
      label: { fr: 'Article d’aide {id}', en: 'Help article {id}' },
      path: '/admin/articles/:id',
      list: '/api/articles/articles',
      richText: ['corps', 'corps_en'],
      isContent: true,
    },
    {
      area: 'articles',
      kind: 'glossary',
      label: { fr: 'Glossaire de la recherche, entrée {id}', en: 'Search glossary, entry {id}' },
      path: '/admin/articles/search',
      isContent: true,
    },
  ],
  liveAreas: ['articles'],
  publicPaths: ['/aide'],
  audit: {
    fields: {
      terme: { fr: 'Terme', en: 'Term' },
      terme_en: { fr: 'Terme (Anglais)', en: 'Term (English)' },
      slug: { fr: 'Adresse', en: 'Address' },
      slug_en: { fr: 'Adresse (Anglais)', en: 'Address (English)' },
      corps: { fr: 'Texte', en: 'Text' },
      corps_en: { fr: 'Texte (Anglais)', en: 'Text (English)' },
      categorie: { fr: 'Sujet', en: 'Subject' },
      public: { fr: 'Visible par tous', en: 'Visible to everyone' },
      publie: { fr: 'Publié', en: 'Published' },
      mots_cles: { fr: 'Mots-clés', en: 'Keywords' },
      mots_cles_en: { fr: 'Mots-clés (Anglais)', en: 'Keywords (English)' },
      a_revoir_le: { fr: 'À revoir le', en: 'Review on' },
    },
  },
})
