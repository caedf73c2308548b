import { defineTexts } from '#src/lib/texts.ts'

export const maintenanceTexts = defineTexts({
  fr: {
    title: 'Entretien planifié',
    planned: 'À venir',
    running: 'En cours',
    done: 'Terminé',
    standard: 'Nos services peuvent être interrompus quelques minutes.',
    sameDay: '{day}, de {from} à {until}',
    twoDays: 'du {day} à {from} au {lastDay} à {until}',
    subscribe: 'S’abonner au calendrier des entretiens',
    download: 'Fichier du calendrier',
  },
  en: {
    title: 'Planned maintenance',
    planned: 'To come',
    running: 'Under way',
    done: 'Done',
    standard: 'Our services may be interrupted for a few minutes.',
    sameDay: '{day}, {from} to {until}',
    twoDays: '{day} at {from} to {lastDay} at {until}',
    subscribe: 'Subscribe to the maintenance calendar',
    download: 'Calendar file',
  },
})
