import { z } from 'zod'
import { elementReference } from '#src/features/updates/contract.ts'
import {
  englishOlder,
  englishReviewed,
  entryVersion,
  id,
  isoDateTime,
  limits,
  publicationFields,
  text,
} from '#src/lib/schemas.ts'
import { detailStatuses, incidentPhases, networkStates } from './values.ts'

export const networkDetail = z.strictObject({
  nom: text(limits.name),
  nom_en: text(limits.name).default(''),
  statut: z.enum(detailStatuses),
})
export type NetworkDetail = z.infer<typeof networkDetail>

const detailsList = z.array(networkDetail).max(100)

/** `details` travels as text, both ways. */
const detailsText = text(limits.richText).refine((value) => parses(value), 'a JSON list of {nom, nom_en, statut}')

/** Nothing is required. */
export const networkInput = z.strictObject({
  nom: text(limits.name).default(''),
  status: z.enum(networkStates).default(''),
  details: detailsText.default('[]'),
  publie: publicationFields.publie,
  version: entryVersion,
})
export type NetworkInput = z.infer<typeof networkInput>

export const network = z.object({
  id_reseau: id,
  nom: z.string(),
  status: z.enum(networkStates),
  details: z.string(),
  publie: z.boolean(),
  version: z.int(),
})
export type Network = z.infer<typeof network>

/** Reads the text of `details`; throws where it is not such a list. */
export function parseDetails(details: string): NetworkDetail[] {
  return detailsList.parse(JSON.parse(details))
}

function parses(details: string) {
  try {
    return detailsList.safeParse(JSON.parse(details)).success
  } catch {
    return false
  }
}

export const dayStatuses = ['OK', 'WARNING', 'ERROR', 'MAINTENANCE'] as const

/** One day of a component; `worst` is null where nothing was monitored. */
export const historyDay = z.object({
  date: z.string(),
  worst: z.enum(dayStatuses).nullable(),
  down_minutes: z.int(),
  degraded_minutes: z.int(),
  maintenance_minutes: z.int(),
})
export type HistoryDay = z.infer<typeof historyDay>

/** `availability` is a ratio of the monitored time, null where there is none; `since` is when monitoring began. */
export const elementHistory = z.object({
  id_reseau: id,
  nom: z.string(),
  since: z.string().nullable(),
  availability: z.number().nullable(),
  days: z.array(historyDay),
})
export type ElementHistory = z.infer<typeof elementHistory>

export const elementChange = z.object({
  id_reseau: id,
  nom: z.string(),
  from: z.enum(detailStatuses).nullable(),
  to: z.enum(detailStatuses).nullable(),
  at: z.string(),
  author: z.string(),
  id_incident: id.nullable(),
})

export const incidentElement = elementReference
export type IncidentElement = z.infer<typeof incidentElement>

const phase = z.enum(incidentPhases)
const severity = z.enum(['WARNING', 'ERROR'])
const title = text(limits.title).default('')
const longText = text(limits.message).default('')
const instantOrNull = isoDateTime.nullable()
const flag = z.boolean().default(false)

const incidentFields = z.strictObject({
  title,
  title_en: title,
  severity,
  elements: z.array(incidentElement).min(1, 'required').max(200),
  meanwhile: longText,
  meanwhile_en: longText,
  next_update_at: instantOrNull.default(null),
})

/** Declares an outage; with `draft`, or without its French, nothing is published. */
export const incidentInput = incidentFields.extend({
  phase: phase.exclude(['resolved']).default('investigating'),
  text: longText,
  text_en: longText,
  banner: flag,
  note: flag,
  mails: flag,
  draft: flag,
  /** The same request twice declares one outage. */
  client_id: z.uuid().optional(),
})
export type IncidentInput = z.infer<typeof incidentInput>

/** Text and phase are those of a draft's first update; a published incident gets updates instead. */
export const incidentChange = incidentFields.extend({
  phase: phase.exclude(['resolved']).optional(),
  text: text(limits.message).optional(),
  text_en: text(limits.message).optional(),
  english_reviewed: englishReviewed,
  version: entryVersion,
})
export type IncidentChange = z.infer<typeof incidentChange>

export const incidentUpdateInput = z.strictObject({
  phase,
  text: longText,
  text_en: longText,
  mails: z.boolean().default(true),
  next_update_at: instantOrNull.default(null),
  version: entryVersion,
})
export type IncidentUpdateInput = z.infer<typeof incidentUpdateInput>

export const publishInput = z.strictObject({ banner: flag, note: flag, mails: flag, version: entryVersion })
export type PublishInput = z.infer<typeof publishInput>

export const incidentUpdate = z.object({ id_update: id, phase, text: z.string(), text_en: z.string(), at: z.string() })

export const incident = z.object({
  id_incident: id,
  number: z.string(),
  title: z.string(),
  title_en: z.string(),
  severity,
  phase,
  started_at: z.string(),
  resolved_at: z.string().nullable(),
  elements: z.array(z.object({ id_reseau: id, nom: z.string() })),
  updates: z.array(incidentUpdate),
  source: z.enum(['staff', 'monitor']),
  draft: z.boolean(),
  next_update_at: z.string().nullable(),
  meanwhile: z.string(),
  meanwhile_en: z.string(),
  version: z.int(),
})
export type Incident = z.infer<typeof incident>

/** For staff: until when the last step can be undone, and French fields whose English is outdated. */
export const staffIncident = incident.extend({ undo_until: z.string().nullable(), english_older: englishOlder })
export type StaffIncident = z.infer<typeof staffIncident>

/** A step of an outage that can still be undone; `mails` wait until then. */
export const undoableStep = z.object({
  id_incident: id,
  title: z.string(),
  title_en: z.string(),
  at: z.string(),
  undo_until: z.string(),
  mails: z.int(),
  banner: z.boolean(),
  note: z.boolean(),
})
export type UndoableStep = z.infer<typeof undoableStep>

/** A component's ribbon: one letter a day (`o` well, `w` degraded, `e` down, `m` maintenance, `.` no data). */
export const ribbon = z.object({
  id_reseau: id,
  nom: z.string(),
  since: z.string().nullable(),
  /** When the present status began. */
  changed: z.string().nullable(),
  availability: z.number().nullable(),
  days: z.string(),
  /** Minutes down, degraded and in maintenance of the days that are not well, by their index. */
  lengths: z.record(z.string(), z.tuple([z.int(), z.int(), z.int()])),
})
export type Ribbon = z.infer<typeof ribbon>

/** On the landing screen: the networks at their worst, and the outages that wait for somebody. */
export const counterNetworks = z.object({
  status: z.enum(detailStatuses),
  strip: z.object({ fr: z.string(), en: z.string() }),
  open: z.int(),
  late: z.int(),
  drafts: z.int(),
})
export type CounterNetworks = z.infer<typeof counterNetworks>
declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    networks: CounterNetworks
  }
}
