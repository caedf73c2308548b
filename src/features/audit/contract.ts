import { z } from 'zod'
import { id, idParam, limits, text } from '#src/lib/schemas.ts'

const day = z.iso.date().optional()

/** Filter of the audit log. */
export const auditFilter = z.strictObject({
  area: text(50).optional(),
  action: text(50).optional(),
  entry: text(50).optional(),
  who: text(limits.name).optional(),
  /** Days in the company's time zone, both included. */
  from: day,
  to: day,
  /** Defaults to newest first. */
  sort: z.enum(['at', '-at']).optional(),
  page: idParam.optional(),
  /** Goes on after this event, in the order of the list: pages end at 10,000 events. */
  after: idParam.optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(200))
    .optional(),
})
export type AuditFilter = z.infer<typeof auditFilter>

export const auditEntry = z.object({
  id_entry: id,
  at: z.string(),
  id_user: z.int().nullable(),
  user_name: z.string(),
  address: z.string(),
  area: z.string(),
  action: z.string(),
  entry_id: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  hash: z.string(),
  /** True where the values about a person were erased. */
  is_erased: z.boolean(),
  /** True for a deletion that can be undone: the entry still does not exist. */
  restorable: z.boolean(),
  /** True for a former state that can be taken over. */
  reusable: z.boolean(),
  /** Name of the entry, from another event where this one has none; null where no event has one. */
  name: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntry>

/** `last` goes on after what was verified before; `wait` answers after so many seconds at the latest, with how far it is. */
export const verificationQuery = z.strictObject({
  from: z.enum(['start', 'last']).default('start'),
  wait: z.coerce.number().int().min(1).max(30).optional(),
})

export const verification = z.object({
  lines: z.int(),
  /** False while it goes on: ask again. `total` is what the log holds at most. */
  is_complete: z.boolean(),
  total: z.int(),
  /** Verified earlier, and not read again. */
  lines_before: z.int(),
  broken_at: z.int().nullable(),
  /** What is broken: the event itself, one up to it, an event whose hash is stored elsewhere, or the seal of the log. */
  reason: z.enum(['changed', 'sealed', 'missing', 'unsealed']).nullable(),
  last_hash: z.string(),
})
export type Verification = z.infer<typeof verification>

/** The audit log of a product whose export was imported. */
export const formerJournal = z.object({ id_journal: z.int(), lines: z.int(), imported_at: z.string() })
export type FormerJournal = z.infer<typeof formerJournal>

/** On the landing screen: the last changes, without what changed in them. */
export const auditChange = auditEntry
  .pick({ id_entry: true, at: true, id_user: true, user_name: true, area: true, action: true, entry_id: true })
  .extend({ name: z.string().nullable() })
export type AuditChange = z.infer<typeof auditChange>
declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    changes: AuditChange[]
  }
}
