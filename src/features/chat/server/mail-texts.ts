import { defineTexts } from '#src/lib/language/texts.ts'

export const mailTexts = defineTexts({
  fr: {
    transcriptSubject: 'Votre conversation avec {company}, {date}',
    transcriptIntro: 'Bonjour {name},\n\nVoici votre conversation du {date} avec {company}.',
    transcriptEnd: 'Besoin d’autre chose? Répondez à ce courriel ou appelez le {phone}.',
    transcriptFile: 'conversation',
    transcriptAttached: 'Fichier joint : {name}',
    leftSubject: 'Message laissé au clavardage',
    unansweredRequest: 'Clavardage sans réponse',
    conversation: 'Conversation du clavardage :',
    unansweredSubject: 'Clavardage : {name} attend',
    unanswered:
      '{name} attend une réponse dans le clavardage depuis {minutes} {minutes|minute|minutes} (page {page}).\n\nPour répondre : {address}',
    testSubject: 'Test de vos alertes de clavardage',
    pushTitle: 'Un visiteur attend une réponse',
    pushOwnTitle: 'Votre visiteur attend une réponse',
    pushBody: 'Ouvrez la conversation pour répondre.',
    test: 'Vous recevez bien les alertes de clavardage de {company}. Aucune action n’est requise.',
  },
  en: {
    transcriptSubject: 'Your conversation with {company}, {date}',
    transcriptIntro: 'Hello {name},\n\nHere is your conversation of {date} with {company}.',
    transcriptEnd: 'Need anything else? Reply to this email or call {phone}.',
    transcriptFile: 'conversation',
    transcriptAttached: 'Attached file: {name}',
    leftSubject: 'Message left in the live chat',
    unansweredRequest: 'Live chat without an answer',
    conversation: 'Chat conversation:',
    unansweredSubject: 'Live chat: {name} is waiting',
    unanswered:
      '{name} has been waiting for a reply in live chat for {minutes} {minutes|minute|minutes} (page {page}).\n\nTo reply: {address}',
    testSubject: 'Test of your chat alerts',
    pushTitle: 'A visitor is waiting for a reply',
    pushOwnTitle: 'Your visitor is waiting for a reply',
    pushBody: 'Open the conversation to reply.',
    test: 'You are receiving chat alerts from {company}. No action is needed.',
  },
})
