import { z } from 'zod'
import { languages } from './language/language.ts'
import { richTextMax } from './text/html-text.ts'
import { campaignMax, referrerMax } from './visit-source.ts'
import { isBlank, tidyEmail, tidyText } from './text/plain-text.ts'

// Zod compiles its schemas by `new Function`, which the pages' Content-Security-Policy forbids.
if ('document' in globalThis) z.config({ jitless: true })

/** Lengths that several features share, in characters. */
export const limits = {
  name: 200,
  title: 200,
  email: 254,
  phone: 200,
  message: 2000,
  text: 10_000,
  richText: richTextMax,
} as const

// NUL cannot be stored and a lone surrogate cannot be encoded, so both are rejected everywhere.
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

/** Puts the limit and the length into the message, which pages translate (`fieldErrorTexts`). */
const atMost = (max: number) => ({
  error: ({ input }: { input?: unknown }) => `too long: ${typeof input === 'string' ? input.length : 'more'} of ${max}`,
})

/** Plain text of at most `max` characters. */
export const text = (max: number) => z.string().max(max, atMost(max)).refine(isStorable, 'invalid characters')
/** Text entered by a user: composed accents (NFC), no control characters but tab and line ends, not visually blank. */
export const requiredText = (max: number) =>
  z
    .string()
    .overwrite(tidyText)
    .max(max, atMost(max))
    .refine(isStorable, 'invalid characters')
    .refine((value) => !isBlank(value), 'required')
/** Single-line text: a line break would allow mail header injection. */
export const requiredLine = (max: number) =>
  requiredText(max).refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'one line only')

const localPart = String.raw`[\p{L}\p{M}\p{N}_'+&-]`
const domainEnd = String.raw`[\p{L}\p{M}\p{N}]`
const domainLabel = `${domainEnd}(?:[\\p{L}\\p{M}\\p{N}-]{0,61}${domainEnd})?`
/** An email address in any alphabet (RFC 6531), without quotes, comments or address literals. */
const address = new RegExp(
  String.raw`^(?!.*\p{DI})${localPart}+(?:\.${localPart}+)*@(?:${domainLabel}\.)+(?=.*\p{L})${domainLabel}$`,
  'u',
)
export const email = z
  .string()
  .overwrite(tidyEmail)
  .max(limits.email, atMost(limits.email))
  .regex(address, 'invalid e-mail address')
export const richText = text(limits.richText)

/** Version that the save was made from (optimistic locking); without it, the save overwrites. */
export const entryVersion = z.int().positive().optional()

/** French fields whose English is outdated, with the time since. */
export const englishOlder = z.record(z.string(), z.string())
/** French fields whose English was reviewed and is still right. */
export const englishReviewed = z.array(z.string().max(50)).max(10).optional()

const whichEntry = 'choice'
export const id = z.int(whichEntry).positive(whichEntry).max(2_147_483_647, whichEntry)
/** An id in a URL, parsed from text. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .pipe(id)
export const isoDateTime = z.iso.datetime({ offset: true })

/** States of an entry for visitors: only an open one is public. */
export const entryStates = ['draft', 'planned', 'open', 'closed'] as const
export type EntryState = (typeof entryStates)[number]

const moment = isoDateTime.nullable().default(null)
/** Whether an entry may be public, and from when until when; null is no bound. */
export const publicationFields = { publie: z.boolean().default(true), opens_on: moment, closes_on: moment }
export type Publication = { publie: boolean; opens_on: string | null; closes_on: string | null }

/** The first day after the years that staff may give: JavaScript, PostgreSQL and the time zones agree until then. */
export const endOfDays = '9999-01-01'

/** What is no date at all is rejected by its format. */
function isInYears(at: string) {
  const year = new Date(at).getUTCFullYear()
  return !(year < 1900 || year > 9998)
}
const inputDateTime = isoDateTime.refine(isInYears, 'year out of range').nullable().default(null)
const inputDay = z.iso.date().refine(isInYears, 'year out of range').nullable().default(null)
/** The bounds of an entry in what staff send; what was stored before may lie beyond these years. */
export const inputDateTimes = { opens_on: inputDateTime, closes_on: inputDateTime }
export const inputDays = { opens_on: inputDay, closes_on: inputDay }

/** For `refine`: an entry closes after it opens. */
export const closesLater = ({ opens_on, closes_on }: Omit<Publication, 'publie'>) =>
  !opens_on || !closes_on || Date.parse(opens_on) < Date.parse(closes_on)
export const closesTooEarly = { path: ['closes_on'], message: 'the end comes after the start' }

/** Campaign and referring domain of the first page of a visitor's tab. */
export const visitSource = z.strictObject({
  utm_source: text(campaignMax).default(''),
  utm_medium: text(campaignMax).default(''),
  utm_campaign: text(campaignMax).default(''),
  referrer: text(referrerMax).default(''),
})

/** `excerpt` is text with `mark` elements only; `language` is that of title and excerpt. */
export const searchResult = z.object({
  kind: z.enum(['incident', 'article', 'page', 'tutorial', 'job', 'notice']),
  title: z.string(),
  excerpt: z.string(),
  url: z.string(),
  language: z.enum(languages),
  matched: z.array(z.string()),
})
export type SearchResult = z.infer<typeof searchResult>

/** What the search of staff finds. `path` opens the entry; null where the caller may only read it. */
export const foundEntry = z.object({
  area: z.string(),
  kind: z.string().nullable(),
  id: z.int(),
  title: z.string(),
  excerpt: z.string(),
  language: z.enum(languages),
  matched: z.array(z.string()),
  path: z.string().nullable(),
})
export type FoundEntry = z.infer<typeof foundEntry>
