import type { Command } from '../command-line/command.ts'
import { defineCommand } from '../command-line/command.ts'

export const updateCommand: Command = defineCommand({
  name: 'update',
  summary: {
    fr: 'Installer une nouvelle version; si quelque chose échoue, l’ancienne revient avec toutes ses données',
    en: 'Install a new version; where anything fails, the old one comes back with all its data',
  },
  details: {
    fr: 'Fait une copie de sécurité, va chercher la version et la construit à côté, l’essaie sur une copie des données, arrête le produit, migre, change les dossiers et redémarre. Interrompue, même par kill -9, la même commande termine ou défait la mise à jour.',
    en: 'Makes a backup, fetches the version and builds it beside, tries it on a copy of the data, stops the product, migrates, exchanges the folders and starts again. Interrupted, even by kill -9, the same command completes or undoes the update.',
  },
  arguments: [
    {
      name: 'version',
      isOptional: true,
      summary: {
        fr: 'numéro, étiquette, branche ou commit (par défaut, la dernière version publiée)',
        en: 'number, tag, branch or commit (by default, the newest release)',
      },
    },
  ],
  options: [
    {
      flags: '--check',
      summary: { fr: 'Dire ce qui serait fait, sans le faire', en: 'Tell what would be done, without doing it' },
    },
    {
      flags: '--resume',
      summary: {
        fr: 'Seulement terminer ou défaire une mise à jour interrompue',
        en: 'Only complete or undo an interrupted update',
      },
    },
    {
      flags: '--unit <name>',
      summary: { fr: 'Service de systemd (par défaut, guichet)', en: 'Service of systemd (by default, guichet)' },
    },
    {
      flags: '--stop <command>',
      summary: {
        fr: 'Commande qui arrête le produit, là où ce n’est pas systemd',
        en: 'Command that stops the product, where systemd does not',
      },
    },
    {
      flags: '--start <command>',
      summary: { fr: 'Commande qui le démarre, puis se termine', en: 'Command that starts it, then ends' },
    },
  ],
  examples: ['update --check', 'update', 'update 1.4.0', 'update --stop "sv down guichet" --start "sv up guichet"'],
  load: () => import('./run-update.ts'),
})
