import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, serial, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { EnglishOlder } from '#src/lib/language/english-older.ts'
import type { IncidentElement, NetworkDetail } from '../contract.ts'
import { detailStatuses, incidentPhases, networkStates } from '../values.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })

export const networks = pgTable('networks', {
  id: serial('id').primaryKey(),
  name: text('name').notNull(),
  status: text('status', { enum: networkStates }).notNull().default(''),
  details: jsonb('details').$type<NetworkDetail[]>().notNull().default([]),
  isPublished: boolean('is_published').notNull().default(true),
  version: integer('version').notNull().default(1),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/**
 * Every change of a component's status. `element` is its French name; the empty name is the network itself. No foreign key to
 * `networks`: a network that is deleted and restored keeps its history.
 */
export const elementChanges = pgTable(
  'network_element_changes',
  {
    id: serial('id').primaryKey(),
    networkId: integer('network_id').notNull(),
    element: text('element').notNull(),
    from: text('from_status', { enum: detailStatuses }),
    /** Null where the component was removed: it is no longer monitored. */
    to: text('to_status', { enum: detailStatuses }),
    at: instant('at').notNull(),
    userId: integer('user_id'),
    /** The person, command or monitor that changed it. */
    author: text('author').notNull(),
    incidentId: integer('incident_id'),
  },
  (table) => [
    index('network_element_changes_element').on(table.networkId, table.element, table.at),
    index('network_element_changes_at').on(table.at),
    index('network_element_changes_incident').on(table.incidentId),
  ],
)

/** Day of the month, worst status, and seconds down, degraded, in maintenance and monitored. */
export type StoredDay = [
  day: number,
  worst: string | null,
  down: number,
  degraded: number,
  maintenance: number,
  monitored: number,
]

/** A month that is over, computed once: only the days that were not well are stored. */
export const elementMonths = pgTable(
  'network_element_months',
  {
    month: text('month').notNull(),
    networkId: integer('network_id').notNull(),
    element: text('element').notNull(),
    days: jsonb('days').$type<StoredDay[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.month, table.networkId, table.element] })],
)

/** What publishing or resolving set, so that it can be set back; statuses are of components, or of a network as such. */
export type SetStatus = { id_reseau: number; nom: string; from: string; to: string }

/** What `undo` needs to restore, until its time. */
export type UndoRecord = {
  until: string
  /** Whose step it was; null for a monitor or a command. */
  by?: number | null
  before: {
    draft: boolean
    phase: string
    number: string
    started_at: string
    resolved_at: string | null
    next_update_at: string | null
    set: SetStatus[]
  }
  applied: SetStatus[]
  note: number | null
  update: number | null
  /** The banner was put up, or taken back. */
  banner: 'put' | 'taken' | null
}

export const networkIncidents = pgTable(
  'network_incidents',
  {
    id: serial('id').primaryKey(),
    /** Year and rank in it, once published. */
    number: text('number').notNull().default(''),
    title: text('title').notNull(),
    titleEn: text('title_en').notNull(),
    severity: text('severity', { enum: ['WARNING', 'ERROR'] }).notNull(),
    phase: text('phase', { enum: incidentPhases }).notNull(),
    draft: boolean('draft').notNull(),
    source: text('source', { enum: ['staff', 'monitor'] })
      .notNull()
      .default('staff'),
    elements: jsonb('elements').$type<IncidentElement[]>().notNull(),
    startedAt: instant('started_at').notNull(),
    resolvedAt: instant('resolved_at'),
    nextUpdateAt: instant('next_update_at'),
    meanwhile: text('meanwhile').notNull().default(''),
    meanwhileEn: text('meanwhile_en').notNull().default(''),
    /** Statuses it set and has not set back. */
    statuses: jsonb('statuses').$type<SetStatus[]>().notNull().default([]),
    /** The emergency banner it put up, as its owner describes it; null where there is none. */
    banner: jsonb('banner').$type<unknown>(),
    undo: jsonb('undo').$type<UndoRecord>(),
    englishOlder: jsonb('english_older').$type<EnglishOlder>().notNull().default({}),
    /** Chosen by the form that declared it, so that a repeated request declares it once. */
    clientId: text('client_id').unique(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('network_incidents_number')
      .on(table.number)
      .where(sql`${table.number} <> ''`),
    index('network_incidents_started_at').on(table.startedAt),
    index('network_incidents_open')
      .on(table.id)
      .where(sql`${table.resolvedAt} is null`),
  ],
)

export const incidentUpdates = pgTable(
  'network_incident_updates',
  {
    id: serial('id').primaryKey(),
    incidentId: integer('incident_id')
      .notNull()
      .references(() => networkIncidents.id, { onDelete: 'cascade' }),
    phase: text('phase', { enum: incidentPhases }).notNull(),
    text: text('text').notNull(),
    textEn: text('text_en').notNull(),
    at: instant('at').notNull(),
    /** When its mails leave; null where none do. */
    mailsAt: instant('mails_at'),
    /** When its mails were queued. */
    mailedAt: instant('mailed_at'),
  },
  (table) => [
    index('network_incident_updates_incident').on(table.incidentId, table.at),
    index('network_incident_updates_due')
      .on(table.mailsAt)
      .where(sql`${table.mailsAt} is not null and ${table.mailedAt} is null`),
  ],
)

/** One row: the last time that the product is known to have run. */
export const productBeats = pgTable('network_product_beats', { id: integer('id').primaryKey(), at: instant('at').notNull() })
