import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { announcements } from '../announcements/server/table.ts'
import { monitorEvents, monitorStatus, networkMonitors } from '../monitors/server/table.ts'
import { mailings, subscribers } from './subscriber-table.ts'
import { elementChanges, elementMonths, incidentUpdates, networkIncidents, networks } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['subscribers'],
    columns: [subscribers.email, subscribers.bounceReason],
    purpose: 'Send the notices and announcements asked for, and stop when the emails are not delivered.',
    seenBy: ['networks', 'own'],
  },
  {
    whose: ['subscribers'],
    columns: [subscribers.consentText, subscribers.consentAddress],
    purpose: 'Prove the consent: the text that was shown and the IP address, with the date.',
    seenBy: ['networks'],
  },
  {
    whose: ['subscribers'],
    columns: [subscribers.linkHash],
    purpose: 'Recognize the link to unsubscribe.',
    seenBy: [],
    protection: 'hash',
  },
  {
    whose: ['staff'],
    columns: [announcements.author, elementChanges.userId, elementChanges.author, networkIncidents.undo],
    purpose: 'Know who sent an announcement or changed the status of the network, and who may undo it.',
    seenBy: ['company', 'networks'],
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  {
    columns: [
      ...[announcements.subject, announcements.subjectEn, announcements.text, announcements.textEn, announcements.counts],
      ...[networkIncidents.title, networkIncidents.titleEn, networkIncidents.meanwhile, networkIncidents.meanwhileEn],
      ...[networkIncidents.number, networkIncidents.englishOlder, networkIncidents.banner, networkIncidents.clientId],
      ...[incidentUpdates.text, incidentUpdates.textEn],
    ],
    reason: 'texts that the company publishes or sends to all subscribers',
  },
  {
    columns: [
      ...[networks.name, networks.details, networkIncidents.elements, networkIncidents.statuses],
      ...[elementChanges.element, elementMonths.month, elementMonths.element, elementMonths.days],
    ],
    reason: 'networks, their components and their availability',
  },
  {
    columns: [
      ...[networkMonitors.element, networkMonitors.target, networkMonitors.expect, networkMonitors.tokenHash],
      ...[monitorStatus.detail, monitorEvents.detail],
    ],
    reason: 'machines that are monitored, and their results',
  },
  { columns: [mailings.key], reason: 'the number of a notice' },
]
