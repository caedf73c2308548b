import { defineTexts } from '#src/lib/language/texts.ts'

export const maintenanceTexts = defineTexts({
  fr: {
    title: 'Entretien planifié',
    planned: 'Prévu',
    running: 'En cours',
    done: 'Terminé',
    standard: 'Nos services peuvent être interrompus quelques minutes.',
    sameDay: '{day}, de {from} à {until}',
    twoDays: 'du {day} à {from} au {lastDay} à {until}',
    subscribe: 'S’abonner au calendrier des entretiens',
    download: 'Télécharger le fichier de calendrier',
  },
  en: {
    title: 'Scheduled maintenance',
    planned: 'Scheduled',
    running: 'In progress',
    done: 'Completed',
    standard: 'Our services may be interrupted for a few minutes.',
    sameDay: '{day}, {from} to {until}',
    twoDays: '{day} at {from} to {lastDay} at {until}',
    subscribe: 'Subscribe to the maintenance calendar',
    download: 'Download calendar file',
  },
})
