import { auditLog, auditLogKeys, auditLogSeals } from '#src/server/audit-log/audit-log-table.ts'
import { formerJournalEntries, formerJournals } from '#src/server/audit-log/former-journals-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { erasures } from '#src/server/erasures/erasures-table.ts'
import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { retentionPeriods } from '#src/server/retention/retention-table.ts'
import { uploads } from '#src/server/uploads/uploads-table.ts'
import { demands, incidents } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['anybody'],
    columns: [mails.recipient, mails.replyTo, mails.subject, mails.body, mails.html, mails.headers, mails.files],
    purpose: 'Send the email, try again where needed, and show whether it was sent.',
    seenBy: ['requests', 'applications'],
  },
  {
    whose: ['anybody'],
    columns: [mails.lastError],
    purpose: 'Show why an email was not sent: the server’s response may contain the address.',
    seenBy: ['updates', 'requests'],
  },
  {
    whose: ['anybody'],
    columns: [mails.secret],
    purpose: 'The personal link of an email that waits to be sent.',
    seenBy: [],
    protection: 'encrypted',
    ends: 'Removed as soon as the email is sent.',
  },
  {
    whose: ['staff'],
    columns: [uploads.owner, uploads.name],
    purpose: 'Continue the upload of a large file after the connection broke, for the person who began it alone.',
    seenBy: ['own'],
  },
  {
    whose: ['staff'],
    columns: [
      ...[auditLog.userId, auditLog.userName, auditLog.address],
      ...[formerJournalEntries.userId, formerJournalEntries.userName, formerJournalEntries.address],
    ],
    purpose: 'Prove who did what, when and from which IP address.',
    seenBy: ['audit'],
  },
  {
    whose: ['anybody'],
    columns: [auditLog.before, auditLog.after, formerJournalEntries.before, formerJournalEntries.after],
    purpose: 'Prove what changed: the former and the new values, and the texts about people.',
    seenBy: ['audit'],
    protection: 'encrypted by entry',
  },
  {
    whose: ['anybody'],
    columns: [auditLogKeys.key, auditLogKeys.addresses, auditLogKeys.words],
    purpose:
      'Read the encrypted texts of the audit log and find them by address and words; without the key nobody reads them any more.',
    seenBy: [],
  },
  {
    whose: ['anybody'],
    columns: [auditLog.entryId, formerJournalEntries.entryId, erasures.hash],
    purpose: 'Prove a search or an erasure without naming the person, and erase again what a restored backup brings back.',
    seenBy: ['audit'],
    protection: 'keyed hash',
  },
  {
    whose: ['anybody'],
    columns: [demands.outcome, demands.note, demands.receivedOn, demands.answeredOn],
    purpose: 'Answer within 30 days whoever asks for access, rectification or deletion, and prove it.',
    seenBy: ['privacy'],
  },
  {
    whose: ['anybody'],
    columns: [
      ...[incidents.information, incidents.circumstances, incidents.happened, incidents.riskAssessment, incidents.measures],
      ...[incidents.happenedOn, incidents.discoveredOn, incidents.commissionNotifiedOn, incidents.peopleNotifiedOn],
    ],
    purpose: 'Keep the register of confidentiality incidents that the law requires.',
    seenBy: ['privacy'],
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  { columns: [uploads.id, uploads.purpose], reason: 'a random id, and the route that takes the file' },
  { columns: [auditLogKeys.entry], reason: 'the number of an entry of the audit log' },
  { columns: [mails.messageId, mails.thread], reason: 'numbers of a mail and of its thread' },
  {
    columns: [auditLog.area, auditLog.action, formerJournalEntries.area, formerJournalEntries.action, erasures.kind],
    reason: 'a place and an action of the product',
  },
  {
    columns: [
      ...[auditLog.hash, formerJournalEntries.hash, auditLogSeals.keyId, auditLogSeals.lastHash, auditLogSeals.digest],
      ...[auditLogSeals.seal, formerJournals.lastHash, formerJournals.digest, formerJournals.seals, formerJournals.seal],
    ],
    reason: 'hashes over whole entries of the audit log',
  },
  { columns: [retentionPeriods.kind, retentionPeriods.unit], reason: 'the table of retention periods' },
]
