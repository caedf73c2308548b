import { z } from 'zod'
import { formerJournalEntries, formerJournals } from '#src/server/audit-log/former-journals-table.ts'
import { erasures } from '#src/server/erasures/erasures-table.ts'
import { settingsStay } from '#src/server/personal-data.ts'
import { retentionPeriods } from '#src/server/retention/retention-table.ts'
import { auditLog, auditLogKeys, auditLogSeals } from '#src/server/audit-log/audit-log-table.ts'
import { endUploads, uploadHours } from '#src/server/uploads/uploads.ts'
import { uploads } from '#src/server/uploads/uploads-table.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { findRetentionHealth } from './retention.ts'
import { auditLogData } from './audit-log-data.ts'
import { endWaitingMails, mailData, waitingMailDays } from './service.ts'
import { hasRight } from '#src/lib/rights.ts'
import { countLateDemands, purgeDemands } from './demands.ts'
import { demands, incidents } from './table.ts'
import { privacyRoutes } from './routes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { privacy } from '../feature.ts'

export const privacyServer = serverFeature(privacy, {
  api: { '/api/privacy': privacyRoutes },
  findHealth: findRetentionHealth,
  counter: {
    shape: { late_demands: z.int() },
    async find({ db }, { rights }) {
      const late = hasRight(rights, 'privacy', 'read_only') ? await countLateDemands(db) : 0
      return late > 0 ? { late_demands: late } : {}
    },
  },
  personalData: [mailData, auditLogData],
  personalColumns,
  impersonalColumns,
  tableEnds: [
    {
      tables: [retentionPeriods],
      label: { fr: 'Durées de conservation', en: 'Retention periods' },
      reason: settingsStay,
    },
    { tables: [mails], label: { fr: 'Courriels envoyés', en: 'Sent emails' }, kind: 'mails' },
    {
      tables: [],
      label: { fr: 'Courriels en attente d’envoi', en: 'Emails waiting to be sent' },
      days: waitingMailDays,
      purge: endWaitingMails,
    },
    {
      tables: [erasures],
      label: { fr: 'Effacements', en: 'Erasures' },
      reason: {
        fr: 'Des empreintes sans renseignement : une copie de sécurité restaurée en est effacée de nouveau.',
        en: 'Keyed hashes without information: what a restored backup brings back is deleted again.',
      },
    },
    {
      tables: [demands],
      label: { fr: 'Demandes traitées à propos de renseignements', en: 'Answered requests about information' },
      days: 5 * 366,
      purge: (app, before, limit) => purgeDemands(app.db, before, limit),
    },
    {
      tables: [uploads],
      label: { fr: 'Envois de gros fichiers inachevés', en: 'Unfinished uploads of large files' },
      days: uploadHours / 24,
      purge: endUploads,
    },
    { tables: [incidents], label: { fr: 'Incidents de confidentialité', en: 'Confidentiality incidents' }, kind: 'incidents' },
    {
      tables: [auditLog, auditLogSeals, formerJournals, formerJournalEntries],
      label: { fr: 'Journal d’audit', en: 'Audit log' },
      reason: {
        fr: 'C’est une preuve dont les événements sont enchaînés : ils restent, sans ce qu’ils disaient une fois leur clé détruite.',
        en: 'It is evidence whose events are chained: they stay, without what they said once their key is destroyed.',
      },
    },
    {
      tables: [auditLogKeys],
      label: { fr: 'Ce que disent les événements du journal d’audit', en: 'What the events of the audit log say' },
      kind: 'journal',
    },
  ],
})
