import { defineCommand } from '#src/server/command-line/command.ts'

export const startCommand = defineCommand({
  name: 'start',
  summary: {
    fr: 'Démarrer le produit; au premier démarrage, installer et construire ce qui manque',
    en: 'Start the product; at the first start, install and build what is missing',
  },
  options: [
    { flags: '--dev', summary: { fr: 'Redémarrer à chaque modification du code', en: 'Restart at each change of the code' } },
  ],
  examples: ['start', 'start --lang fr'],
  load: () => import('./run-start.ts'),
})
