import type { Command } from '#src/server/command-line/command.ts'
import { defineCommand } from '#src/server/command-line/command.ts'

/** Kinds that the command takes, in the order of its help; a test compares them with the importers. */
export const importKinds = [
  'wordpress',
  'requests',
  'users',
  'subscribers',
  'replies',
  'redirects',
  'guichet',
  'holidays',
  'monitors',
  'team',
  'mail',
] as const

const load = () => import('./server/import-command.ts')
const number = { name: 'id', summary: { fr: 'numéro de l’importation', en: 'number of the import' } }

export const importCommands: readonly Command[] = [
  defineCommand({
    name: 'import',
    summary: { fr: 'Importer un fichier d’un autre système', en: 'Import a file of another system' },
    details: {
      fr: 'Rien n’est publié ni envoyé. Ctrl+C s’arrête après une entrée complète; la même commande continue.',
      en: 'Nothing is published or sent. Ctrl+C stops after a whole entry; the same command continues.',
    },
    arguments: [
      { name: 'kind', choices: importKinds, summary: { fr: 'type de données', en: 'type of data' } },
      {
        name: 'file',
        summary: {
          fr: 'fichier, ou - pour l’entrée standard; courriel : aussi un dossier, ou imap:DOSSIER de IMAP_URL',
          en: 'file, or - for the standard input; mail: also a folder, or imap:FOLDER of IMAP_URL',
        },
      },
    ],
    options: [
      {
        flags: '--dry-run',
        summary: { fr: 'Montrer ce qui viendrait, sans rien écrire', en: 'Show what would come, write nothing' },
      },
      {
        flags: '--map <file>',
        summary: {
          fr: 'Fichier JSON : la colonne du fichier pour chaque champ, ou la destination de chaque catégorie',
          en: 'JSON file: the column of the file for each field, or where each category goes',
        },
      },
      {
        flags: '--as <area>',
        choices: ['articles', 'notes', 'jobs'],
        summary: { fr: 'Où vont les pages', en: 'Where pages go' },
      },
      {
        flags: '--uploads <folder>',
        summary: {
          fr: 'WordPress : copie du dossier wp-content/uploads, qui contient les images',
          en: 'WordPress: copy of the folder wp-content/uploads, which has the pictures',
        },
      },
      {
        flags: '--fetch',
        summary: {
          fr: 'WordPress : télécharger du site les images absentes de --uploads',
          en: 'WordPress: fetch from the site the pictures that --uploads does not have',
        },
      },
      {
        flags: '--staff <addresses>',
        summary: {
          fr: 'Courriel : autres adresses du personnel, séparées par des virgules',
          en: 'Mail: other addresses of the staff, separated by commas',
        },
      },
      {
        flags: '--source <address>',
        summary: {
          fr: 'Adresse du système d’origine : un autre fichier de lui est reconnu',
          en: 'Address of the system it comes from: another file of it is recognized',
        },
      },
    ],
    examples: [
      'import mail imap:Archives --staff soutien@example.com --dry-run',
      'import requests billets.csv --dry-run',
      'import wordpress site.xml --as notes',
      'import wordpress site.xml --uploads ./uploads --fetch',
      'import guichet guichet.zip',
      'import replies - < replies.jsonl',
    ],
    load: async () => ({ run: (await load()).runImport }),
  }),
  defineCommand({
    name: 'import list',
    summary: { fr: 'Lister les importations', en: 'List the imports' },
    examples: ['import list'],
    load: async () => ({ run: (await load()).runList }),
  }),
  defineCommand({
    name: 'import undo',
    summary: { fr: 'Annuler une importation', en: 'Undo an import' },
    details: {
      fr: 'Pendant 30 jours. Ce que quelqu’un a modifié depuis reste, et est nommé.',
      en: 'Within 30 days. What somebody edited since stays, and is named.',
    },
    arguments: [number],
    examples: ['import undo 12'],
    load: async () => ({ run: (await load()).runUndo }),
  }),
]
