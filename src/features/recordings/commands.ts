import { defineCommand } from '#src/server/command-line/command.ts'

export const recordingsImportCommand = defineCommand({
  name: 'import recordings',
  summary: {
    fr: 'Importer les enregistrements d’appels d’un dossier',
    en: 'Import the call recordings of a folder',
  },
  details: {
    fr: 'Le même fichier deux fois donne un seul enregistrement. Le dossier n’est pas modifié.',
    en: 'The same file twice is one recording. The folder is not changed.',
  },
  arguments: [{ name: 'folder', summary: { fr: 'dossier des fichiers audio', en: 'folder of the audio files' } }],
  examples: ['import recordings /var/lib/guichet/from-the-exchange'],
  load: () => import('./server/import-folder.ts'),
})
