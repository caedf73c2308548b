import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import { text, visitSource } from '#src/lib/schemas.ts'
import { addDays } from '#src/lib/time/dates.ts'
import { longestPath, visitGroups } from './values.ts'

/** More than the months that are stored. */
const mostDays = 800
const day = z.iso.date()

const range = { from: day.optional(), to: day.optional() }
const isRange = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || (from <= to && addDays(from, mostDays) >= to)

export const visitQuery = z
  .strictObject({ ...range, by: z.enum(visitGroups).default('day') })
  .refine(isRange, { path: ['to'], message: 'a range of 800 days at most' })
export const visitExportQuery = z
  .strictObject({ ...range, language: z.enum(languages).default('fr') })
  .refine(isRange, { path: ['to'], message: 'a range of 800 days at most' })

export const visitFigures = z.object({
  /** A day, the path of a page, a domain, a campaign, a language or a kind of screen; empty for none, `other` for the rest. */
  key: z.string(),
  views: z.int(),
  /** Views that did not come from a page of this site. */
  visits: z.int(),
  forms: z.int(),
  forms_begun: z.int(),
  chats: z.int(),
  chats_begun: z.int(),
  /** Title of an entry whose page it is. */
  title: z.object({ fr: z.string(), en: z.string() }).nullable(),
})
export type VisitFigures = z.infer<typeof visitFigures>

/** Sent by the page: a navigation without a new document, or a form or chat that was begun. */
export const visitBeacon = z.strictObject({
  path: text(longestPath).regex(/^\//),
  event: z.enum(['form', 'chat']).optional(),
  source: visitSource.nullable().optional(),
})

export const visitsThisWeek = z.object({ visits: z.int(), before: z.int(), has_before: z.boolean() })
export type VisitsThisWeek = z.infer<typeof visitsThisWeek>

declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    visits: VisitsThisWeek
  }
}
