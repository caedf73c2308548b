import { z } from 'zod'
import { entryVersion, id, isoDateTime, limits, text } from '#src/lib/schemas.ts'
import { monitorKinds, monitorStates, resultReasons, usual, usualFailures } from './values.ts'

const target = text(500).transform((value) => value.trim())
const word = text(200)

/** What is expected of a target: a status and a text of a page, an address of a name, days left of a certificate. */
const expectation = z.strictObject({
  status: z.int().min(100).max(599).optional(),
  text: word.optional(),
  days_left: z.int().min(1).max(365).optional(),
})

const fields = z.strictObject({
  id_reseau: id,
  /** French name of the component; empty for the network itself. */
  element: text(limits.name).default(''),
  kind: z.enum(monitorKinds),
  target: target.default(''),
  interval_s: z.int().min(30).max(3_600).default(usual.interval_s),
  /** Twice that is less than the shortest interval: a check is over before the next one. */
  timeout_ms: z.int().min(100).max(10_000).default(usual.timeout_ms),
  failures_before: z.int().min(1).max(10).optional(),
  expect: expectation.default({}),
  then: z.enum(['propose', 'publish']).default('propose'),
  enabled: z.boolean().default(true),
})

const hasTarget = (input: { kind: string; target: string }) => (input.kind === 'signal') === (input.target === '')
const wrongTarget = { path: ['target'], message: 'required' }

const complete = <Input extends { kind: (typeof monitorKinds)[number]; failures_before?: number | undefined }>(input: Input) => ({
  ...input,
  failures_before: input.failures_before ?? usualFailures(input.kind),
})

export const monitorInput = fields.refine(hasTarget, wrongTarget).transform(complete)
export type MonitorInput = z.infer<typeof monitorInput>
export const monitorChange = fields.extend({ version: entryVersion }).refine(hasTarget, wrongTarget).transform(complete)
export type MonitorChange = z.infer<typeof monitorChange>

const result = {
  state: z.enum(monitorStates),
  ms: z.int().nullable(),
  reason: z.enum(resultReasons).nullable(),
  detail: z.string(),
}

/** The result of one check, which nothing stores. */
export const checkResult = z.object(result)

export const monitor = z.object({
  id_monitor: id,
  id_reseau: id,
  element: z.string(),
  kind: z.enum(monitorKinds),
  target: z.string(),
  interval_s: z.int(),
  timeout_ms: z.int(),
  failures_before: z.int(),
  expect: expectation,
  then: z.enum(['propose', 'publish']),
  enabled: z.boolean(),
  version: z.int(),
  /** State after as many failures as it takes; `ms`, `reason` and `detail` are those of the last result. */
  ...result,
  since: z.string().nullable(),
  checked_at: z.string().nullable(),
  /** Failures in a row. */
  failures: z.int(),
  id_incident: id.nullable(),
})
export type Monitor = z.infer<typeof monitor>

/** The address of a signal is given once; its hash alone is stored. */
export const createdMonitor = monitor.extend({ signal_url: z.string().optional() })
export type CreatedMonitor = z.infer<typeof createdMonitor>
export const signalAddress = z.object({ signal_url: z.string() })

/** `at`, where the sender has a clock: an older signal than the last one, or one repeated later, is refused. */
export const signalInput = z.strictObject({
  state: z.enum(['up', 'degraded', 'down']),
  message: text(500).default(''),
  at: isoDateTime.optional(),
})

/** Results of a span of time, and each change of result. */
export const monitorHistory = z.object({
  step_s: z.int(),
  points: z.array(
    z.object({
      at: z.string(),
      checks: z.int(),
      degraded: z.int(),
      down: z.int(),
      ms: z.int().nullable(),
      ms_max: z.int().nullable(),
    }),
  ),
  events: z.array(z.object({ at: z.string(), ...result })),
})
export type MonitorHistory = z.infer<typeof monitorHistory>

/** Columns of the file: network, component, kind, target; and, optional, interval_s, timeout_ms, failures_before, status, text, days_left, then. */
export const monitorImport = z.strictObject({ csv: text(100_000), dry_run: z.boolean().default(false) })
export const importResult = z.object({
  dry_run: z.boolean(),
  created: z.int(),
  known: z.int(),
  refused: z.array(z.object({ at: z.int(), reason: z.string() })),
})
export type ImportResult = z.infer<typeof importResult>
