import { z } from 'zod'
import { id } from '#src/lib/schemas.ts'

const most = 2000

/** `id_ordre`: every entry from first to last; empty is the usual order. `ordre`: their names, as read. */
export const entryOrder = z.object({ version: z.int(), id_ordre: z.array(id), ordre: z.array(z.string()) })
export type EntryOrder = z.infer<typeof entryOrder>

export const entryOrderInput = z.strictObject({
  version: z.int().min(0),
  id_ordre: z
    .array(id)
    .max(most)
    .refine((ids) => new Set(ids).size === ids.length, 'each entry once'),
  /** As it was read; not stored. */
  ordre: z.array(z.string().max(1000)).max(most).optional(),
})
export type EntryOrderInput = z.infer<typeof entryOrderInput>
