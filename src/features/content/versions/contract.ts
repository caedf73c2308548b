import { z } from 'zod'
import { id } from '#src/lib/schemas.ts'

/** An entry as the audit log names it: `3`, `kind/3` or `settings`. */
export const versionsQuery = z.strictObject({ area: z.string().max(50), entry: z.string().max(50) })

/** The state after an event, or the one before it: the first of an entry that was not created by a save. */
const eventState = z.enum(['after', 'before']).default('after')
export const versionQuery = z.strictObject({ state: eventState })

/** A state that an entry had after a save, or before its first one; `id_entry` is its event in the audit log. */
export const storedVersion = z.object({
  id_entry: id,
  at: z.string(),
  name: z.string(),
  action: z.string(),
  state: z.enum(['after', 'before']),
})
export type StoredVersion = z.infer<typeof storedVersion>

const state = z.record(z.string(), z.unknown())

/** A version beside the entry as it is now; `version` is that of the entry, which taking over needs. */
export const comparedVersion = z.object({
  area: z.string(),
  entry_id: z.string(),
  current: state,
  former: state,
  version: z.int(),
})
export type ComparedVersion = z.infer<typeof comparedVersion>

/** `state` `before` is also the undo of the event. */
export const reuseInput = z.strictObject({ version: z.int().min(0), state: eventState })

/** The entry as it is now, and the event by which it can be undone. */
export const reused = z.object({ id_entry: id, version: z.int(), current: state })
export type Reused = z.infer<typeof reused>
