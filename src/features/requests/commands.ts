import { defineCommand } from '#src/server/command-line/command.ts'

export const inboxCommand = defineCommand({
  name: 'inbox',
  summary: {
    fr: 'Essayer la boîte de courriel de IMAP_URL',
    en: 'Try the mailbox of IMAP_URL',
  },
  arguments: [{ name: 'action', choices: ['check'], summary: { fr: 'ce qu’il faut faire', en: 'what to do' } }],
  examples: ['inbox check'],
  load: () => import('./server/mailbox.ts'),
})
