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
    mailSubject: '[{reference}] Courriel de {name} : {subject}',
    mailIntro: 'Un courriel est arrivé.',
    repliedSubject: '[{reference}] {name} a répondu',
    repliedIntro: '{name} a répondu à la demande {reference}.',
    floodSubject: 'Des courriels attendent votre tri',
    floodBody:
      '{count} {count|courriel attend|courriels attendent} dans « À trier » : une même adresse en envoie trop. Rien n’est perdu; faites-en des demandes ou classez-les.',
    oldSubject: 'Des courriels anciens sont devenus des demandes',
    oldBody:
      '{count} {count|courriel|courriels} de plus de deux jours {count|est devenu une demande|sont devenus des demandes}. Leurs expéditeurs n’ont pas reçu d’accusé de réception.',
    lateSubject: '[{reference}] Demande en retard',
    lateIntro: 'La demande {reference} dépasse son délai et attend toujours.',
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
    mailSubject: '[{reference}] Email from {name}: {subject}',
    mailIntro: 'An email came in.',
    repliedSubject: '[{reference}] {name} replied',
    repliedIntro: '{name} replied to request {reference}.',
    floodSubject: 'Emails wait to be sorted',
    floodBody:
      '{count} {count|email waits|emails wait} in “À trier”: one address sends too many. Nothing is lost; make requests of them or dismiss them.',
    oldSubject: 'Old emails became requests',
    oldBody:
      '{count} {count|email|emails} more than two days old became {count|a request|requests}. {count|Its sender was|Their senders were} not sent an acknowledgment.',
    lateSubject: '[{reference}] Late request',
    lateIntro: 'Request {reference} is past its goal and still waiting.',
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

/** What customers are written, in their language. */
export const customerMailTexts = defineTexts({
  fr: {
    receivedSubject: '[{reference}] Votre demande est reçue',
    received: 'Votre demande est reçue. Son numéro : {reference}. Un technicien vous répondra.',
    receivedAgain:
      'La demande {former} étant résolue depuis longtemps, votre message a ouvert une nouvelle demande. Son numéro : {reference}. Un technicien vous répondra.',
    answerHere: 'Pour ajouter un renseignement ou un fichier, répondez à ce courriel.',
    follow: 'Suivre ma demande',
    replySubject: '[{reference}] {subject}',
    replyWithoutSubject: '[{reference}] Votre demande',
    linkSubject: '[{reference}] Nouveau lien vers votre demande',
    newLink: 'Voici un nouveau lien vers votre demande {reference}. Les liens reçus avant celui-ci ne fonctionnent plus.',
    foot: '{company}, {phone}',
  },
  en: {
    receivedSubject: '[{reference}] We received your request',
    received: 'We received your request. Its number: {reference}. A technician will reply to you.',
    receivedAgain:
      'Request {former} was resolved long ago, so your message opened a new request. Its number: {reference}. A technician will reply to you.',
    answerHere: 'To add information or a file, reply to this email.',
    follow: 'Follow my request',
    replySubject: '[{reference}] {subject}',
    replyWithoutSubject: '[{reference}] Your request',
    linkSubject: '[{reference}] New link to your request',
    newLink: 'Here is a new link to your request {reference}. Links you received earlier no longer work.',
    foot: '{company}, {phone}',
  },
})

/** What became of the last post of a customer’s page, which comes with the next one. */
export const outcomeTexts = defineTexts({
  fr: {
    envoye: 'Votre message est envoyé.',
    nouvelle: 'Votre message est envoyé. La demande précédente étant résolue depuis longtemps, il a ouvert celle-ci.',
    regle: 'Merci. La demande est marquée comme résolue.',
    lien: 'Si ce lien correspond à une demande, un nouveau lien est envoyé à l’adresse de courriel de la demande.',
    vide: 'Le message est vide. Écrivez-le, puis envoyez-le.',
    long: 'Le message dépasse {max} caractères. Revenez en arrière : votre texte y est encore. Raccourcissez-le.',
    fichiers: 'Les fichiers dépassent {size} ou sont trop nombreux. Revenez en arrière : votre texte y est encore.',
    limite: 'Trop de messages en peu de temps. Attendez quelques minutes, puis recommencez.',
    erreur: 'Votre message n’est pas enregistré. Revenez en arrière pour retrouver votre texte, ou appelez-nous.',
  },
  en: {
    envoye: 'Your message was sent.',
    nouvelle: 'Your message was sent. The earlier request was resolved long ago, so it opened this one.',
    regle: 'Thank you. The request is marked as resolved.',
    lien: 'If this link belongs to a request, a new link was sent to the email address of the request.',
    vide: 'The message is empty. Write it, then send it.',
    long: 'The message is over {max} characters. Go back: your text is still there. Shorten it.',
    fichiers: 'The files are over {size} or too many. Go back: your text is still there.',
    limite: 'Too many messages in a short time. Wait a few minutes, then try again.',
    erreur: 'Your message was not saved. Go back to find your text, or call us.',
  },
})

/** The mailbox on the page of the system's health. */
export const inboxTexts = defineTexts({
  fr: {
    inbox: 'Courriel entrant',
    lastPass: 'Dernière lecture : {at}',
    noPass: 'La boîte n’a pas encore été lue.',
    lastError: 'Dernière erreur : {error}',
    waiting: '{count} {count|courriel|courriels} à trier',
    unreadable: 'Illisible, resté dans la boîte : {from}, « {subject} » ({reason})',
    repair: 'Corrigez IMAP_URL d’après cette erreur, puis essayez-la sur le serveur : npm run inbox -- check',
    restart: 'La boîte n’est plus lue depuis un moment. Si cela dure, redémarrez le serveur.',
    sort: 'Ouvrez ces courriels dans la boîte elle-même, puis répondez-y ou supprimez-les.',
    toSort: 'Voir les courriels à trier',
  },
  en: {
    inbox: 'Incoming email',
    lastPass: 'Last read: {at}',
    noPass: 'The mailbox has not been read yet.',
    lastError: 'Last error: {error}',
    waiting: '{count} {count|email|emails} to sort',
    unreadable: 'Unreadable, left in the mailbox: {from}, “{subject}” ({reason})',
    repair: 'Correct IMAP_URL according to this error, then try it on the server: npm run inbox -- check',
    restart: 'The mailbox has not been read for a while. If this lasts, restart the server.',
    sort: 'Open these emails in the mailbox itself, then reply to them or delete them.',
    toSort: 'See the emails to sort',
  },
})

/** What is wrong with the mailbox of `IMAP_URL`. */
export const mailboxFaultTexts = defineTexts({
  fr: {
    refused: 'Le serveur refuse le nom d’utilisateur ou le mot de passe de IMAP_URL (@ s’y écrit « %40 »).',
    missing: 'La boîte {detail} n’existe pas sur le serveur.',
    unknownHost: 'Le nom du serveur dans IMAP_URL est inconnu.',
    closed: 'Aucun serveur ne répond à l’adresse et au port de IMAP_URL.',
    silent: 'Le serveur de IMAP_URL ne répond pas à temps.',
    certificate: 'Le certificat du serveur n’est pas valide pour l’adresse de IMAP_URL.',
    plain: 'Le serveur n’utilise pas TLS à ce port : imaps:// va avec 993, imap:// avec 143.',
    other: 'La boîte ne peut pas être lue : {detail}',
  },
  en: {
    refused: 'The server refuses the username or the password of IMAP_URL (percent-encode @ as %40).',
    missing: 'There is no mailbox {detail} on the server.',
    unknownHost: 'The name of the server in IMAP_URL is not known.',
    closed: 'Nothing listens at the host and port of IMAP_URL.',
    silent: 'The server of IMAP_URL does not answer in time.',
    certificate: 'The certificate of the server is not valid for the host of IMAP_URL.',
    plain: 'The server does not speak TLS on this port: imaps:// is for 993, imap:// for 143.',
    other: 'The mailbox cannot be read: {detail}',
  },
})

/** Why a mail stays unread in the mailbox, by the reason that is stored with it. */
export const unreadableTexts = defineTexts({
  fr: {
    'too large': 'plus de 25 Mo',
    'too many lines': 'trop de lignes',
    'too many parts': 'trop de parties',
    'too much for its time': 'trop long à lire',
    'too much for its memory': 'trop lourd à lire',
    broken: 'endommagé',
    'not stored': 'non enregistré',
  },
  en: {
    'too large': 'over 25 MB',
    'too many lines': 'too many lines',
    'too many parts': 'too many parts',
    'too much for its time': 'takes too long to read',
    'too much for its memory': 'takes too much memory to read',
    broken: 'damaged',
    'not stored': 'not saved',
  },
})

/** Headers and labels of the exported file. */
export const exportTexts = defineTexts({
  fr: {
    fileName: 'demandes',
    reference: 'Numéro de demande',
    created: 'Reçue le',
    kind: 'Type',
    status: 'Statut',
    name: 'Nom',
    email: 'Courriel',
    phone: 'Téléphone',
    subject: 'Objet',
    message: 'Message',
    language: 'Langue',
    assignee: 'Responsable',
    support: 'Appel de service',
    contact: 'Contact',
    chat: 'Clavardage',
    new: 'Nouvelle',
    open: 'En cours',
    waiting: 'En attente du client',
    done: 'Résolue',
    suspected: 'À vérifier',
    mail: 'Courriel',
    fr: 'français',
    en: 'anglais',
  },
  en: {
    fileName: 'requests',
    reference: 'Request number',
    created: 'Received',
    kind: 'Type',
    status: 'Status',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    subject: 'Subject',
    message: 'Message',
    language: 'Language',
    assignee: 'Assigned to',
    support: 'Service call',
    contact: 'Contact',
    chat: 'Live chat',
    new: 'New',
    open: 'In progress',
    waiting: 'Waiting for customer',
    done: 'Resolved',
    suspected: 'To review',
    mail: 'Email',
    fr: 'French',
    en: 'English',
  },
})
