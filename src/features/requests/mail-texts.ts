import { defineTexts } from '#src/lib/language/texts.ts'

/** Notification email of a request, in the visitor's language, because the reply goes to the visitor. */
export const mailTexts = defineTexts({
  fr: {
    supportSubject: '[{reference}] Appel de service : {subject}',
    contactSubject: '[{reference}] Message de {name}',
    chatSubject: '[{reference}] Message laissé au clavardage par {name}',
    supportIntro: 'Un appel de service est arrivé par le site.',
    contactIntro: 'Un message est arrivé par la page Contact du site.',
    chatIntro: 'Un visiteur a laissé un message pendant que le clavardage était fermé.',
    fromChatSubject: '[{reference}] Conversation avec {name} : {subject}',
    fromChatIntro: 'Une conversation du clavardage a été convertie en demande.',
    reference: 'Numéro de demande : {reference}',
    name: 'Nom : {name}',
    email: 'Courriel : {email}',
    phone: 'Téléphone : {phone}',
    language: 'Langue : français',
    subject: 'Objet : {subject}',
    answer: 'Répondez à ce courriel pour écrire directement à cette personne.',
    link: 'La demande dans l’administration : {address}',
    suspectedSubject: '{count} {count|demande|demandes} à vérifier',
    suspectedBody:
      '{count} {count|formulaire retenu|formulaires retenus} par un piège à robots {count|attend|attendent} votre décision : en faire une demande, ou l’effacer. Sans décision, c’est effacé après 30 jours.',
  },
  en: {
    supportSubject: '[{reference}] Service call: {subject}',
    contactSubject: '[{reference}] Message from {name}',
    chatSubject: '[{reference}] Message left in live chat by {name}',
    supportIntro: 'A service call came in through the site.',
    contactIntro: 'A message came in through the Contact page of the site.',
    chatIntro: 'A visitor left a message while live chat was closed.',
    fromChatSubject: '[{reference}] Conversation with {name}: {subject}',
    fromChatIntro: 'A live chat conversation was converted to a request.',
    reference: 'Request number: {reference}',
    name: 'Name: {name}',
    email: 'Email: {email}',
    phone: 'Phone: {phone}',
    language: 'Language: English',
    subject: 'Subject: {subject}',
    answer: 'Reply to this email to write directly to this person.',
    link: 'The request in the administration: {address}',
    suspectedSubject: '{count} {count|request|requests} to review',
    suspectedBody:
      '{count} {count|form|forms} caught by a robot trap {count|waits|wait} for your decision: make it a request, or delete it. Without a decision it is deleted after 30 days.',
  },
})
