import { z } from 'zod'
import type { CheckName, CheckState } from '#src/lib/doctor-texts.ts'

export const healthQuery = z.strictObject({ range: z.enum(['hour', 'day']).default('hour') })

const status = z.enum(['OK', 'WARNING', 'ERROR'])
const label = z.object({ fr: z.string(), en: z.string() })
const measured = z.number().nullable()

const sample = z.object({
  at: z.int(),
  requests: z.number(),
  request_p95: measured,
  loop_p99: measured,
  sockets: measured,
  chats_waiting: measured,
  message_p95: measured,
  queue_depth: measured,
  mails_waiting: measured,
  mail_failures: z.int(),
  memory_mb: z.number(),
})

/** Health as measured by the responding instance. Times are in milliseconds, sizes in bytes. */
export const systemHealth = z.object({
  taken_at: z.iso.datetime(),
  instance: z.string(),
  version: z.string(),
  build: z.string().nullable(),
  node: z.string(),
  started_at: z.iso.datetime(),
  memory: z.int(),
  sockets: z.int(),
  database: z.object({ status, kind: z.enum(['pglite', 'postgres']), took: z.number(), size: z.int() }),
  queue: z.object({ status, is_ready: z.boolean(), depth: z.int(), oldest_minutes: z.int() }),
  mail: z.object({ status, can_send: z.boolean(), waiting: z.int(), failed: z.int(), last_error: z.string().nullable() }),
  disk: z.object({ status, free: z.int(), total: z.int() }),
  backups: z.object({
    status,
    count: z.int(),
    last: z.object({ name: z.string(), made_at: z.iso.datetime(), size: z.int() }).nullable(),
  }),
  /** Further parts, each with its state in both languages. */
  reports: z.array(
    z.object({ label, status, lines: z.array(label), advice: z.object({ text: label, link: label, path: z.string() }) }),
  ),
  samples: z.array(sample),
})

export type SystemHealth = z.infer<typeof systemHealth>

/** One line of `GET /api/etat/checks`. */
export type ConnectionCheck = {
  check: CheckName
  state: CheckState
  message: z.infer<typeof label>
  fix: z.infer<typeof label> | null
}
