import { defineCommand } from '#src/server/command-line/command.ts'

export const announceCommand = defineCommand({
  name: 'announce',
  summary: {
    fr: 'Annoncer la prochaine mise à jour, ou retirer l’annonce',
    en: 'Announce the next update, or remove the announcement',
  },
  details: {
    fr: 'L’heure est celle de l’entreprise; une heure avec décalage, comme 2026-12-01T22:00:00-05:00, est prise telle quelle.',
    en: 'The time is the company’s; one with an offset, such as 2026-12-01T22:00:00-05:00, is taken as it is.',
  },
  arguments: [{ name: 'time', isOptional: true, summary: { fr: 'heure de la mise à jour', en: 'time of the update' } }],
  options: [
    { flags: '--message <text>', summary: { fr: 'Message en français', en: 'Message in French' } },
    { flags: '--message-en <text>', summary: { fr: 'Message en anglais', en: 'Message in English' } },
    { flags: '--public', summary: { fr: 'L’annoncer aussi aux visiteurs', en: 'Announce it to visitors too' } },
    { flags: '--duration <minutes>', summary: { fr: 'Durée prévue', en: 'Expected duration' } },
    {
      flags: '--element <network:name>',
      isRepeated: true,
      summary: {
        fr: 'Ce que la mise à jour peut interrompre; un nom vide désigne tout le réseau',
        en: 'What the update may interrupt; an empty name is the whole network',
      },
    },
    { flags: '--remove', summary: { fr: 'Retirer l’annonce', en: 'Remove the announcement' } },
  ],
  examples: ['announce 2026-12-01T22:00 --public --duration 20 --element 3:Fibre', 'announce --remove'],
  load: () => import('./server/announce-command.ts'),
})
