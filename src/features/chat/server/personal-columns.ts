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
    purpose: 'Know who the team replies to, and send the transcript or the reply by email.',
    seenBy: ['chat'],
  },
  {
    whose: ['visitors', 'staff'],
    columns: [chatMessages.message, chatFiles.name, chatFilePieces.bytes, chatTexts.text],
    purpose: 'The conversation itself, its files, the internal notes of the team, and the text by which it is found again.',
    seenBy: ['chat', 'own'],
  },
  {
    whose: ['visitors'],
    columns: [chats.page, chats.source, chats.readPages, chats.timeZone, chats.tags, chats.ratingComment],
    purpose:
      'Understand the question (page, articles read, time zone), sort it, know the satisfaction and where the visit came from.',
    seenBy: ['chat'],
  },
  {
    whose: ['visitors'],
    columns: [chats.clientAddress, chatBlocks.address],
    purpose: 'Block the IP address of somebody who abuses the live chat.',
    seenBy: [],
    protection: 'keyed hash',
  },
  {
    whose: ['visitors'],
    columns: [chats.key],
    purpose: 'Reopen one’s own conversation after a reload: whoever has this key is the visitor.',
    seenBy: ['own'],
  },
  {
    whose: ['visitors'],
    columns: [chatBlocks.email, chatBlocks.reason],
    purpose: 'Block abuse of the live chat, and know why.',
    seenBy: ['chat'],
  },
  {
    whose: ['staff'],
    columns: [
      ...[chats.userId, chats.releasedFrom, chatMessages.userId, chatMessages.userName, chatMessages.imageUrl],
      ...[chatMessages.color, chatOffers.fromUserId, chatOffers.toUserId, chatOffers.note],
      ...[chatBlocks.userId, chatBlocks.userName, chatEvents.userId, chatFigures.userId],
    ],
    purpose: 'Know who replied, transferred or blocked, and make the chat reports.',
    seenBy: ['chat'],
  },
  {
    whose: ['staff'],
    columns: [technicians.userId, pushCalls.userId, unansweredCalls.userId],
    purpose: 'Know who is available, who was called for a conversation and who did not react.',
    seenBy: ['chat'],
  },
  {
    whose: ['staff'],
    columns: [pushDevices.userId, pushDevices.endpoint, pushDevices.userAgent],
    purpose: 'Call the person on the device where they allowed it, and show them the list of their devices.',
    seenBy: ['own'],
  },
  {
    whose: ['staff'],
    columns: [pushDevices.auth],
    purpose: 'Encrypt the calls to the device.',
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
