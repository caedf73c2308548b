import { defineCommand } from '../command-line/command.ts'

export const secretChangeCommand = defineCommand({
  name: 'secret change',
  summary: {
    fr: 'Passer à un nouveau SESSION_SECRET; FORMER_SESSION_SECRET est l’ancien',
    en: 'Change to a new SESSION_SECRET; FORMER_SESSION_SECRET is the former one',
  },
  options: [
    {
      flags: '--lost',
      summary: {
        fr: 'Personne n’a plus l’ancien : l’A2F devra être configurée de nouveau',
        en: 'Nobody has the former one: 2FA must be set up again',
      },
    },
  ],
  examples: ['secret change', 'secret change --lost'],
  load: () => import('./change-secret.ts'),
})
