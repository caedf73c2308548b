import { defineTexts } from '#src/lib/language/texts.ts'

export const uploadTexts = defineTexts({
  fr: {
    sending: 'Envoi de {name}',
    amount: '{percent} % de {size}',
    waiting: 'Connexion perdue. L’envoi reprendra de lui-même.',
    checking: 'Le serveur vérifie le fichier…',
    lessThanMinute: 'Encore moins d’une minute',
    minutes: 'Encore environ {minutes} min',
    stop: 'Arrêter l’envoi',
    stopped: 'Envoi arrêté. Ce qui a été envoyé est conservé pendant 24 heures.',
    resume: 'Reprendre l’envoi',
    retry: 'Réessayer l’envoi',
    percent: '{percent} %',
  },
  en: {
    sending: 'Uploading {name}',
    amount: '{percent}% of {size}',
    waiting: 'Connection lost. The upload will continue by itself.',
    checking: 'The server is checking the file…',
    lessThanMinute: 'Less than a minute left',
    minutes: 'About {minutes} min left',
    stop: 'Stop upload',
    stopped: 'Upload stopped. What was sent is kept for 24 hours.',
    resume: 'Resume upload',
    retry: 'Try upload again',
    percent: '{percent}%',
  },
})
