import { defineCommand } from '#src/server/command-line/command.ts'

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: {
    fr: 'Vérifier l’installation : chaque connexion et chaque réglage, sans rien modifier',
    en: 'Check the installation: each connection and setting, without changing anything',
  },
  details: {
    fr: 'Fonctionne aussi quand le produit est en marche, ou ne démarre pas. Code de sortie : 0 sauf s’il y a un échec (1).',
    en: 'Works also while the product runs, or does not start. Exit code: 0 unless something fails (1).',
  },
  examples: ['doctor', 'doctor --json'],
  load: () => import('./run-doctor.ts'),
})
