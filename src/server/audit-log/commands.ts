import { identityOption } from '../backup/command-line.ts'
import { defineCommand } from '../command-line/command.ts'

export const auditVerifyCommand = defineCommand({
  name: 'audit verify',
  summary: {
    fr: 'Vérifier qu’aucun événement du journal d’audit n’a été modifié ni supprimé',
    en: 'Verify that no event of the audit log was changed or deleted',
  },
  details: {
    fr: 'Code de sortie : 0 intact; 1 modifié; 2 l’empreinte ou l’archive donnée n’est pas lisible; 3 le journal d’audit ne peut pas être lu.',
    en: 'Exit code: 0 intact; 1 altered; 2 the given hash or archive cannot be read; 3 the log cannot be read.',
  },
  arguments: [
    {
      name: 'known',
      isOptional: true,
      summary: {
        fr: 'empreinte d’un courriel ou des messages du serveur, ou copie de sécurité, à comparer',
        en: 'hash of a mail or a log, or a backup, to compare with',
      },
    },
  ],
  options: [
    identityOption,
    {
      flags: '--continue',
      summary: {
        fr: 'Vérifier seulement ce qui a suivi la dernière vérification',
        en: 'Verify only what came after the last verification',
      },
    },
  ],
  examples: ['audit verify', 'audit verify --continue', 'audit verify /mnt/elsewhere/today.tar.gz'],
  load: () => import('./verify-command.ts'),
})
