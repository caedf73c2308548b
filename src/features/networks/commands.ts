import { defineCommand } from '#src/server/command-line/command.ts'

export const outageCommand = defineCommand({
  name: 'outage',
  summary: {
    fr: 'Déclarer une panne, ou ajouter une mise à jour à une panne',
    en: 'Declare an outage, or add an update to one',
  },
  details: {
    fr: 'Le produit doit être en marche. Un nom d’élément vide désigne le réseau lui-même.',
    en: 'The product must be running. An empty component name is the network itself.',
  },
  options: [
    {
      flags: '--element <network:name>',
      isRepeated: true,
      summary: { fr: 'Numéro d’un réseau et nom d’un élément', en: 'Number of a network and name of a component' },
    },
    { flags: '--severity <severity>', choices: ['WARNING', 'ERROR'], summary: { fr: 'Gravité', en: 'Severity' } },
    { flags: '--title <text>', summary: { fr: 'Titre en français', en: 'Title in French' } },
    { flags: '--title-en <text>', summary: { fr: 'Titre en anglais', en: 'Title in English' } },
    { flags: '--text <text>', summary: { fr: 'Texte en français', en: 'Text in French' } },
    { flags: '--text-en <text>', summary: { fr: 'Texte en anglais', en: 'Text in English' } },
    {
      flags: '--phase <phase>',
      choices: ['investigating', 'identified', 'monitoring', 'resolved'],
      summary: { fr: 'Étape', en: 'Phase' },
    },
    { flags: '--next <time>', summary: { fr: 'Heure ISO de la prochaine nouvelle', en: 'ISO time of the next update' } },
    { flags: '--banner', summary: { fr: 'Afficher le bandeau d’urgence', en: 'Show the emergency banner' } },
    { flags: '--note', summary: { fr: 'Publier un avis de service', en: 'Publish a service notice' } },
    { flags: '--mails', summary: { fr: 'Envoyer les courriels', en: 'Send the emails' } },
    { flags: '--draft', summary: { fr: 'Garder en brouillon', en: 'Keep as a draft' } },
    { flags: '--update <id>', summary: { fr: 'Panne à mettre à jour', en: 'Outage to update' } },
  ],
  examples: [
    'outage --element 3:Fibre --severity ERROR --title "Fibre coupée" --text "Une pelle a coupé la fibre."',
    'outage --update 14 --phase resolved --text "La fibre est réparée."',
  ],
  load: () => import('./server/outage-command.ts'),
})
