import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import {
  inboxMails,
  inboxPieces,
  inboxState,
  requestBlocks,
  requestEntries,
  requestEntryMails,
  requestFilePieces,
  requestFiles,
  requestPresence,
  requests,
  requestSettingsTable,
  requestTexts,
  trapCounts,
} from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['customers'],
    columns: [requests.name, requests.firstName, requests.lastName, requests.email, requests.phone],
    purpose: 'Know who asks, and reply.',
    seenBy: ['requests', 'own'],
  },
  {
    whose: ['customers', 'anybody'],
    columns: [
      ...[requests.subject, requests.message, requestEntries.author, requestEntries.authorEmail, requestEntries.text],
      ...[requestEntries.quoted, requestEntries.html, requestEntries.event, requestFiles.name, requestFilePieces.bytes],
      ...[requestTexts.text, requestEntryMails.bounceReason],
    ],
    purpose: 'The request, its replies and files, the internal comments, and the text by which it is found again.',
    seenBy: ['requests', 'own'],
  },
  {
    whose: ['customers'],
    columns: [requests.page, requests.source],
    purpose: 'Know which page and which campaign the request came from.',
    seenBy: ['requests'],
  },
  {
    whose: ['customers'],
    columns: [requests.linkHash],
    purpose: 'Recognize the link of the customer’s page.',
    seenBy: [],
    protection: 'hash',
  },
  {
    whose: ['customers'],
    columns: [requests.contentHash],
    purpose: 'Recognize a form that was sent twice.',
    seenBy: [],
    protection: 'hash',
  },
  {
    whose: ['customers'],
    columns: [trapCounts.addressHash],
    purpose: 'Limit the forms from one IP address that a spam trap caught.',
    seenBy: [],
    protection: 'keyed hash',
  },
  {
    whose: ['anybody'],
    columns: [inboxMails.fromAddress, inboxMails.fromName, inboxMails.subject, inboxPieces.bytes],
    purpose: 'Sort received emails that did not become a request by themselves, and process each only once.',
    seenBy: ['requests'],
  },
  {
    whose: ['anybody'],
    columns: [requestBlocks.email],
    purpose: 'Make no more requests of the emails of an unwanted sender.',
    seenBy: ['requests'],
    ends: 'With the request that led to the block; without one, when staff unblock the sender.',
  },
  {
    whose: ['staff'],
    columns: [requests.assignedTo, requestEntries.userId, requestPresence.userId],
    purpose: 'Know who handles the request, who wrote and who has it open now.',
    seenBy: ['requests'],
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  { columns: [requestSettingsTable.settings], reason: 'goals, texts and switches of requests' },
  { columns: [inboxState.holder, inboxState.lastError], reason: 'state of the reading of the mailbox' },
  { columns: [requests.reference, requests.clientId, requestEntries.clientId], reason: 'numbers of a request or of a form' },
  {
    columns: [requestEntries.messageId, inboxMails.messageId, inboxMails.digest, inboxMails.reason],
    reason: 'numbers of a mail, and why the product did not take it',
  },
  { columns: [requestFiles.type], reason: 'the format of a file' },
  { columns: [trapCounts.day], reason: 'the day of a count' },
]
