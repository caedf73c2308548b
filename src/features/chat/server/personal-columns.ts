import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import {
  cannedReplies,
  chatBlocks,
  chatEvents,
  chatFigures,
  chatFilePieces,
  chatFiles,
  chatMessages,
  chatOffers,
  chats,
  chatSettingsTable,
  chatTexts,
  pushCalls,
  pushDevices,
  pushKeys,
  technicians,
  unansweredCalls,
} from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['visitors'],
    columns: [chats.clientName, chats.clientEmail, chats.clientBusiness],
    purpose: {
      fr: 'Savoir à qui l’équipe répond, et envoyer la transcription ou la réponse par courriel.',
      en: 'Know who the team replies to, and send the transcript or the reply by email.',
    },
    seenBy: ['chat'],
  },
  {
    whose: ['visitors', 'staff'],
    columns: [chatMessages.message, chatFiles.name, chatFilePieces.bytes, chatTexts.text],
    purpose: {
      fr: 'La conversation elle-même, ses fichiers, les notes internes de l’équipe, et le texte par lequel on la retrouve.',
      en: 'The conversation itself, its files, the internal notes of the team, and the text by which it is found again.',
    },
    seenBy: ['chat', 'own'],
  },
  {
    whose: ['visitors'],
    columns: [chats.page, chats.source, chats.readPages, chats.timeZone, chats.tags, chats.ratingComment],
    purpose: {
      fr: 'Comprendre la question (page, articles lus, fuseau horaire), la classer, connaître la satisfaction et l’origine de la visite.',
      en: 'Understand the question (page, articles read, time zone), sort it, know the satisfaction and where the visit came from.',
    },
    seenBy: ['chat'],
  },
  {
    whose: ['visitors'],
    columns: [chats.clientAddress, chatBlocks.address],
    purpose: {
      fr: 'Bloquer l’adresse IP de qui abuse du clavardage.',
      en: 'Block the IP address of somebody who abuses the live chat.',
    },
    seenBy: [],
    protection: 'keyed hash',
  },
  {
    whose: ['visitors'],
    columns: [chats.key],
    purpose: {
      fr: 'Rouvrir sa propre conversation après un rechargement : qui a cette clé est le visiteur.',
      en: 'Reopen one’s own conversation after a reload: whoever has this key is the visitor.',
    },
    seenBy: ['own'],
  },
  {
    whose: ['visitors'],
    columns: [chatBlocks.email, chatBlocks.reason],
    purpose: { fr: 'Bloquer qui abuse du clavardage, et savoir pourquoi.', en: 'Block abuse of the live chat, and know why.' },
    seenBy: ['chat'],
  },
  {
    whose: ['staff'],
    columns: [
      ...[chats.userId, chats.releasedFrom, chatMessages.userId, chatMessages.userName, chatMessages.imageUrl],
      ...[chatMessages.color, chatOffers.fromUserId, chatOffers.toUserId, chatOffers.note],
      ...[chatBlocks.userId, chatBlocks.userName, chatEvents.userId, chatFigures.userId],
    ],
    purpose: {
      fr: 'Savoir qui a répondu, transféré ou bloqué, et établir les statistiques du clavardage.',
      en: 'Know who replied, transferred or blocked, and make the chat reports.',
    },
    seenBy: ['chat'],
  },
  {
    whose: ['staff'],
    columns: [technicians.userId, pushCalls.userId, unansweredCalls.userId],
    purpose: {
      fr: 'Savoir qui est disponible, qui a été appelé pour une conversation et qui n’a pas réagi.',
      en: 'Know who is available, who was called for a conversation and who did not react.',
    },
    seenBy: ['chat'],
  },
  {
    whose: ['staff'],
    columns: [pushDevices.userId, pushDevices.endpoint, pushDevices.userAgent],
    purpose: {
      fr: 'Appeler la personne sur l’appareil où elle l’a permis, et lui montrer la liste de ses appareils.',
      en: 'Call the person on the device where they allowed it, and show them the list of their devices.',
    },
    seenBy: ['own'],
  },
  {
    whose: ['staff'],
    columns: [pushDevices.auth],
    purpose: { fr: 'Chiffrer les appels vers l’appareil.', en: 'Encrypt the calls to the device.' },
    seenBy: [],
    protection: 'encrypted',
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  { columns: [chatSettingsTable.settings], reason: 'hours, texts and limits of the live chat' },
  {
    columns: [cannedReplies.shortcut, cannedReplies.reply, cannedReplies.replyEn, cannedReplies.englishOlder],
    reason: 'texts prepared for everybody',
  },
  { columns: [pushKeys.publicKey, pushKeys.privateKey, pushDevices.p256dh], reason: 'keys, which the browser makes at random' },
  { columns: [chatMessages.clientMessageId], reason: 'a random number of the message' },
  { columns: [chatFigures.day], reason: 'the day of a conversation' },
]
