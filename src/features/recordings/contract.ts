import { z } from 'zod'
import { id, idParam, isoDateTime, limits, text } from '#src/lib/schemas.ts'
import { levels } from '#src/lib/rights.ts'
import { countedMost, directions, recordingsPerPage } from './values.ts'

const lastPage = countedMost / recordingsPerPage

/** A call in the list; dates are instants, the duration is in seconds. */
export const recording = z.object({
  id_recording: id,
  date: isoDateTime,
  direction: z.enum(directions),
  caller: z.string(),
  callee: z.string(),
  agent: z.string(),
  duration: z.number(),
  file: z.string(),
  size: z.int(),
  /** On legal hold: exempt from retention, and cannot be deleted. */
  on_hold: z.boolean(),
})
export type Recording = z.infer<typeof recording>

/** `peaks`: the waveform, one byte per point, in base64; empty where the audio could not be read. */
export const recordingDetail = recording.extend({ peaks: z.string() })
export type RecordingDetail = z.infer<typeof recordingDetail>

const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,3}$/)
  .transform(Number)
  .pipe(z.int().max(lastPage))

/** `from` and `to` are days in the company's time zone, both included. */
export const recordingQuery = z
  .strictObject({
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    search: text(limits.name).optional(),
    page: pageNumber.default(1),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], message: 'before the first day' })
export type RecordingQuery = z.infer<typeof recordingQuery>

export const recordingParams = z.strictObject({ id: idParam })
export const holdInput = z.strictObject({ on_hold: z.boolean() })

const level = z.enum(levels).exclude(['none'])
/** Level required for each operation. */
export const recordingSettings = z.strictObject({
  /** 0 before the first save. */
  version: z.int().min(0),
  play: level,
  download: level,
  delete: level,
})
export type RecordingSettings = z.infer<typeof recordingSettings>

export const importOutcome = z.object({
  file: z.string(),
  outcome: z.enum(['imported', 'known', 'failed']),
  /** Why it failed, as a key of the page's texts. */
  reason: z.string().nullable(),
  id_recording: id.nullable(),
})
export type ImportOutcome = z.infer<typeof importOutcome>

/** Request of `npm run recordings:import` to a running product. */
export const folderInput = z.strictObject({ folder: text(4_096) })
