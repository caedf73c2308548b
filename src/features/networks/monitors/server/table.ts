import { boolean, index, integer, jsonb, pgTable, primaryKey, serial, text, timestamp } from 'drizzle-orm/pg-core'
import type { Monitor } from '../contract.ts'
import { monitorKinds, monitorStates, resultReasons } from '../values.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })

/** What is monitored. No foreign key to `networks`: a network that is deleted and restored keeps its monitors. */
export const networkMonitors = pgTable(
  'network_monitors',
  {
    id: serial('id').primaryKey(),
    networkId: integer('network_id').notNull(),
    element: text('element').notNull(),
    kind: text('kind', { enum: monitorKinds }).notNull(),
    target: text('target').notNull(),
    intervalS: integer('interval_s').notNull(),
    timeoutMs: integer('timeout_ms').notNull(),
    failuresBefore: integer('failures_before').notNull(),
    expect: jsonb('expect').$type<Monitor['expect']>().notNull(),
    action: text('action', { enum: ['propose', 'publish'] }).notNull(),
    enabled: boolean('enabled').notNull(),
    /** SHA-256 of the secret in the address of a signal. */
    tokenHash: text('token_hash').unique(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('network_monitors_element').on(table.networkId, table.element)],
)

const ofMonitor = () =>
  integer('monitor_id')
    .notNull()
    .references(() => networkMonitors.id, { onDelete: 'cascade' })

/**
 * What changes with each check, apart from what is set. Without an index on what changes, PostgreSQL updates the rows in place
 * (HOT), so that the table does not grow.
 */
export const monitorStatus = pgTable('network_monitor_status', {
  monitorId: ofMonitor().primaryKey(),
  state: text('state', { enum: monitorStates }).notNull().default('unknown'),
  since: instant('since'),
  /** Results in a row that are not `up`, and those of them that are `down`. */
  failures: integer('failures').notNull().default(0),
  downs: integer('downs').notNull().default(0),
  checkedAt: instant('checked_at'),
  nextAt: instant('next_at').notNull(),
  /** The last result. */
  result: text('result', { enum: monitorStates }).notNull().default('unknown'),
  ms: integer('ms'),
  reason: text('reason', { enum: resultReasons }),
  detail: text('detail').notNull().default(''),
  /** The outage that this failure opened or joined; it may be deleted or resolved by hand meanwhile. */
  incidentId: integer('incident_id'),
  /** What the staff have to be notified of. */
  alert: text('alert', { enum: ['proposed', 'published', 'recovered'] }),
  /** The sender's time of the last signal, where it gives one. */
  signalAt: instant('signal_at'),
})

/** A result that differs from the one before. */
export const monitorEvents = pgTable(
  'network_monitor_events',
  {
    id: serial('id').primaryKey(),
    monitorId: ofMonitor(),
    at: instant('at').notNull(),
    state: text('state', { enum: monitorStates }).notNull(),
    ms: integer('ms'),
    reason: text('reason', { enum: resultReasons }),
    detail: text('detail').notNull(),
  },
  (table) => [index('network_monitor_events_monitor').on(table.monitorId, table.at)],
)

/** Results of five minutes, an hour or a day. */
export const monitorFigures = pgTable(
  'network_monitor_figures',
  {
    monitorId: ofMonitor(),
    step: integer('step_s').notNull(),
    at: instant('at').notNull(),
    checks: integer('checks').notNull(),
    degraded: integer('degraded').notNull(),
    down: integer('down').notNull(),
    /** Results with a time, their sum and the longest. */
    timed: integer('timed').notNull(),
    msSum: integer('ms_sum').notNull(),
    msMax: integer('ms_max').notNull(),
  },
  (table) => [primaryKey({ columns: [table.monitorId, table.step, table.at] })],
)
