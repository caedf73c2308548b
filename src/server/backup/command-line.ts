import type { Command } from '../command-line/command.ts'
import { defineCommand } from '../command-line/command.ts'

const load = () => import('./commands.ts')

export const identityOption = {
  flags: '--identity <file>',
  summary: {
    fr: 'Fichier de la clé privée age, pour une copie de sécurité chiffrée',
    en: 'File of the age private key, for an encrypted backup',
  },
}

export const backupCommands: readonly Command[] = [
  defineCommand({
    name: 'backup',
    summary: {
      fr: 'Mettre la base de données et les fichiers dans une archive, aussi pendant que le produit est en marche',
      en: 'Put the database and the files in one archive, also while the product runs',
    },
    arguments: [
      {
        name: 'file',
        isOptional: true,
        summary: {
          fr: 'archive à écrire (par défaut, dans DATA_DIR/backups)',
          en: 'archive to write (by default, in DATA_DIR/backups)',
        },
      },
    ],
    examples: ['backup', 'backup /mnt/elsewhere/today.tar.gz'],
    load: async () => ({ run: (await load()).runBackup }),
  }),
  defineCommand({
    name: 'restore',
    summary: {
      fr: 'Restaurer une copie de sécurité dans une base et un dossier vides, et la vérifier',
      en: 'Restore a backup into an empty database and folder, and verify it',
    },
    arguments: [
      { name: 'file', summary: { fr: 'archive, ou - pour l’entrée standard', en: 'archive, or - for the standard input' } },
    ],
    options: [
      identityOption,
      {
        flags: '--erasures <file>',
        summary: {
          fr: 'autre fichier erasures.jsonl, outre celui de DATA_DIR et celui à côté de l’archive',
          en: 'another file erasures.jsonl, besides that of DATA_DIR and that beside the archive',
        },
      },
    ],
    examples: [
      'restore /mnt/elsewhere/today.tar.gz',
      'restore - < today.tar.gz',
      'restore /mnt/elsewhere/today.tar.gz.age --identity /root/backup-key.txt',
    ],
    load: async () => ({ run: (await load()).runRestore }),
  }),
  defineCommand({
    name: 'move',
    summary: {
      fr: 'Copier la base intégrée dans la base PostgreSQL vide de DATABASE_URL',
      en: 'Copy the embedded database into the empty PostgreSQL database of DATABASE_URL',
    },
    examples: ['move'],
    load: async () => ({ run: (await load()).runMove }),
  }),
]
