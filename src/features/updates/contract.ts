import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import { entryVersion, id, isoDateTime, limits, text } from '#src/lib/schemas.ts'
import { defaultDuration, maxDuration, messageMax } from './values.ts'

const message = text(messageMax).default('')

/** A component of a network; the empty name is the network itself. */
export const elementReference = z.strictObject({ id_reseau: id, nom: text(limits.name) })
export type ElementReference = z.infer<typeof elementReference>

/** Sets the next update; `public` also announces it to visitors, as a maintenance window. */
export const updateAlertInput = z.strictObject({
  next_update: isoDateTime,
  message,
  message_en: message,
  public: z.boolean().default(false),
  duration_minutes: z.int().min(1, 'duration').max(maxDuration, 'duration').default(defaultDuration),
  /** Components that the maintenance may interrupt: their outages within it are no downtime. */
  elements: z.array(elementReference).max(200).default([]),
  version: entryVersion,
})
export type UpdateAlertInput = z.infer<typeof updateAlertInput>

export const updateAlert = z.object({
  id_update: id,
  next_update: z.string(),
  ends_at: z.string(),
  duration_minutes: z.int(),
  message: z.string(),
  message_en: z.string(),
  public: z.boolean(),
  elements: z.array(elementReference),
  version: z.int(),
})
export type UpdateAlert = z.infer<typeof updateAlert>

declare module '#src/features/people/contract.ts' {
  interface ProfileFields {
    /** The update announced to all signed-in users, or null. */
    update_alert: UpdateAlert | null
  }
}

/** A maintenance window as visitors see it. */
export const maintenanceWindow = z.object({
  id_update: id,
  starts_at: z.string(),
  ends_at: z.string(),
  message: z.string(),
  message_en: z.string(),
  elements: z.array(elementReference),
  /** The components in words, in each language. */
  names: z.record(z.enum(languages), z.array(z.string())),
  state: z.enum(['planned', 'running', 'done']),
})
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>

/** One entry of the history of announcements. */
export const pastUpdate = updateAlert.extend({ state: z.enum(['planned', 'running', 'done', 'cancelled']) })
export type PastUpdate = z.infer<typeof pastUpdate>
