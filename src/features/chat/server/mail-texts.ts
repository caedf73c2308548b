import { defineTexts } from '#src/lib/texts.ts'

export const mailTexts = defineTexts({
  fr: {
    transcriptSubject: 'Votre conversation avec {company}, {date}',
    transcriptIntro: 'Bonjour {name},\n\nVoici votre conversation du {date} avec {company}.',
    transcriptEnd: 'Besoin d’autre chose ? Répondez à ce courriel ou appelez le {phone}.',
    transcriptFile: 'conversation',
    transcriptAttached: 'Fichier joint : {name}',
    leftSubject: 'Message laissé au clavardage',
    conversation: 'Conversation du clavardage :',
    unansweredSubject: 'Clavardage : {name} attend',
    unanswered:
      'Personne n’a encore répondu à {name}, qui attend depuis {minutes} {minutes|minute|minutes} au clavardage (page {page}).\n\nPour répondre : {address}',
    testSubject: 'Essai de vos alertes de clavardage',
    test: 'Ce courriel prouve que les alertes de clavardage de {company} vous parviennent. Il n’y a rien à faire.',
  },
  en: {
    transcriptSubject: 'Your conversation with {company}, {date}',
    transcriptIntro: 'Hello {name},\n\nHere is your conversation of {date} with {company}.',
    transcriptEnd: 'Need anything else? Answer this e-mail or call {phone}.',
    transcriptFile: 'conversation',
    transcriptAttached: 'Attached file: {name}',
    leftSubject: 'Message left in the live chat',
    conversation: 'Chat conversation:',
    unansweredSubject: 'Live chat: {name} is waiting',
    unanswered:
      'Nobody has answered {name} yet, who has been waiting for {minutes} {minutes|minute|minutes} in the live chat (page {page}).\n\nTo answer: {address}',
    testSubject: 'Test of your chat alerts',
    test: 'This e-mail proves that the chat alerts of {company} reach you. There is nothing to do.',
  },
})
