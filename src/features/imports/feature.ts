import { defineFeature } from '#src/lib/feature.ts'

export const imports = defineFeature({
  auditAreas: { imports: { fr: 'Importations', en: 'Imports' } },
  admin: [
    {
      path: '/admin/importer',
      label: { fr: 'Importer', en: 'Import' },
      menuLabel: { fr: 'Importer et exporter', en: 'Import and export' },
      group: 'system',
      area: 'company',
      panel: { opens: { fr: 'Reprendre vos données d’un autre système', en: 'Bring your data from another system' } },
    },
  ],
  actions: [
    {
      path: '/admin/importer',
      label: { fr: 'Importer un fichier', en: 'Import a file' },
      words: { fr: 'wordpress csv tableur courriel déménager reprendre', en: 'wordpress csv spreadsheet mail migrate move' },
      area: 'company',
      level: 'administrator',
    },
  ],
  entries: [
    {
      area: 'imports',
      label: { fr: 'Importation {id}', en: 'Import {id}' },
      path: '/admin/importer/:id',
      needs: { area: 'company', level: 'read_only' },
    },
  ],
  audit: {
    actions: {
      import: { fr: 'Importation', en: 'Import' },
      undo_import: { fr: 'Annulation de l’importation', en: 'Import undone' },
    },
    fields: {
      kind: { fr: 'Type', en: 'Kind' },
      file: { fr: 'Fichier', en: 'File' },
      created: { fr: 'Créées', en: 'Created' },
      updated: { fr: 'Mises à jour', en: 'Updated' },
      known: { fr: 'Déjà importées', en: 'Already imported' },
      refused: { fr: 'Refusées', en: 'Refused' },
      removed: { fr: 'Retirées', en: 'Removed' },
      left: { fr: 'Conservées', en: 'Left in place' },
      entries: { fr: 'Numéros des fiches', en: 'Numbers of the entries' },
    },
  },
})
