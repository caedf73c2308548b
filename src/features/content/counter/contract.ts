import { z } from 'zod'
import { translation } from '../translations/contract.ts'

const label = z.object({ fr: z.string(), en: z.string() })

/** Something a new installation needs, found out by the server. */
export const setupStep = z.object({
  name: z.string(),
  label,
  /** One word, in the row of all steps. */
  short: label,
  /** What happens, or does not, until it is done. */
  hint: label,
  /** Where it is done; null where that is not in the administration. */
  path: z.string().nullable(),
  is_done: z.boolean(),
})
export type SetupStep = z.infer<typeof setupStep>

/** The landing screen of one user, by their rights. */
export const counter = z.object({
  /** A line below the button of a page, by its path. */
  figures: z.record(z.string(), label),
  translations: z.array(translation),
  setup: z.array(setupStep),
})
/** What each feature adds to it, by declaration merging; absent where the user may not see it. */
export interface CounterFacts {}
export type Counter = z.infer<typeof counter> & Partial<CounterFacts>
