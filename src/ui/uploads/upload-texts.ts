import { defineTexts } from '#src/lib/language/texts.ts'

export const uploadTexts = defineTexts({
  fr: {
    sending: 'Envoi de {name}',
    amount: '{percent}\u00a0% de {size}',
    waiting: 'Connexion perdue. L’envoi reprendra de lui-même.',
    checking: 'Le serveur vérifie le fichier…',
    lessThanMinute: 'Encore moins d’une minute',
    minutes: 'Encore environ {minutes}\u00a0min',
    stop: 'Arrêter l’envoi',
    stopped: 'Envoi arrêté. Ce qui a été envoyé est conservé pendant 24\u00a0heures.',
    stoppedShort: 'Envoi arrêté.',
    resume: 'Reprendre l’envoi',
    retry: 'Réessayer l’envoi',
    percent: '{percent}\u00a0%',
  },
  en: {
    sending: 'Uploading {name}',
    amount: '{percent}% of {size}',
    waiting: 'Connection lost. The upload will continue by itself.',
    checking: 'The server is checking the file…',
    lessThanMinute: 'Less than a minute left',
    minutes: 'About {minutes} min left',
    stop: 'Stop upload',
    stopped: 'Upload stopped. The server keeps what was sent for 24 hours.',
    stoppedShort: 'Upload stopped.',
    resume: 'Resume upload',
    retry: 'Try upload again',
    percent: '{percent}%',
  },
})
