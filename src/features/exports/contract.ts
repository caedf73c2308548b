import { z } from 'zod'
import { id, idParam } from '#src/lib/schemas.ts'

/** `ready` until it is fetched, once, or a day has passed. */
export const exportStates = ['waiting', 'running', 'ready', 'fetched', 'failed', 'stopped'] as const

export const dataExport = z.object({
  id_export: id,
  state: z.enum(exportStates),
  /** Rows written so far; `total` is an estimate, null where there is none. */
  done: z.int(),
  total: z.int().nullable(),
  bytes: z.int().nullable(),
  created_at: z.string(),
  ready_at: z.string().nullable(),
  /** Until when it can be fetched. */
  ends_at: z.string().nullable(),
})
export type DataExport = z.infer<typeof dataExport>

export const exportParams = z.strictObject({ id: idParam })
