import { defineCommand } from '#src/server/command-line/command.ts'

export const exportCommand = defineCommand({
  name: 'export',
  summary: {
    fr: 'Mettre toutes les données dans une archive de formats ouverts',
    en: 'Put all data in one archive of open formats',
  },
  details: {
    fr: 'JSON Lines avec schémas, et les fichiers; sans les secrets. Fonctionne pendant que le produit est en marche.',
    en: 'JSON Lines with schemas, and the files; without secrets. Works while the product runs.',
  },
  arguments: [{ name: 'file', summary: { fr: 'archive ZIP à écrire', en: 'ZIP archive to write' } }],
  examples: ['export guichet.zip'],
  load: () => import('./server/export-command.ts'),
})
