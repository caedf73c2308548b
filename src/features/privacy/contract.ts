import { z } from 'zod'
import { retentionKinds } from '#src/lib/retention.ts'
import { languages } from '#src/lib/language/language.ts'
import { email, entryVersion, id, limits, requiredText, text } from '#src/lib/schemas.ts'
import { demandKinds, noSearch } from './values.ts'

/** An address, a telephone number in any writing, a name or words. */
const searchedText = z
  .string()
  .overwrite((value) => value.trim().normalize('NFC'))
  .min(2, noSearch)
  .max(200, 'too long')
  .refine((value) => /[\p{L}\p{N}]/u.test(value), noSearch)
const personFields = { q: searchedText.optional(), email: email.optional() }
const isNamed = ({ q, email: address }: { q?: string | undefined; email?: string | undefined }) =>
  (q === undefined) !== (address === undefined)
const named = { path: ['q'], message: 'required' }
/** `q`, or `email` as before. */
export const personInput = z.strictObject(personFields).refine(isNamed, named)
/** What was chosen of the findings; a message or file goes with its conversation. Without it: all that is certain. */
const chosenFindings = z.array(z.strictObject({ kind: z.string().max(50), id: z.string().max(300) })).max(10_000)
export type ChosenFindings = z.infer<typeof chosenFindings>
export const exportInput = z
  .strictObject({ ...personFields, format: z.enum(['json', 'csv']), findings: chosenFindings.optional() })
  .refine(isNamed, named)
export const eraseInput = z.strictObject({ ...personFields, findings: chosenFindings.optional() }).refine(isNamed, named)

const field = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const personalDataFound = z.object({
  kind: z.string(),
  erasable: z.boolean(),
  /** There are more that name it than are listed. */
  has_more: z.boolean(),
  findings: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      /** False where it may be another person's, such as a call of a number that was typed into a form. */
      certain: z.boolean(),
      /** Of one that is not certain: the field with what was searched for, and the words around it. */
      found_by: z.object({ field: z.string(), text: z.string() }).nullable(),
      fields: z.record(z.string(), field),
    }),
  ),
})
export type PersonalDataFound = z.infer<typeof personalDataFound>

/** `proof` is recorded in the audit log instead of the address; null where nothing was erased. */
export const erasure = z.object({
  proof: z.string().nullable(),
  erased: z.record(z.string(), z.int()),
  /** Whatever a search still finds. */
  kept: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      reason: z.enum(['legal hold', 'not chosen', 'staff account', 'team profile', 'audit log', 'retained']),
    }),
  ),
})
export type Erasure = z.infer<typeof erasure>

export const retentionPeriod = z.object({ kind: z.string(), count: z.int(), unit: z.enum(['months', 'days']) })
const storedPeriod = z
  .strictObject({ kind: z.enum(retentionKinds), count: z.int().min(1), unit: z.enum(['months', 'days']) })
  .refine(({ count, unit }) => count <= (unit === 'months' ? 120 : 3_650), { path: ['count'], message: 'up to 120 months' })
export const retentionInput = z.array(storedPeriod).min(1).max(retentionKinds.length)
export type RetentionPeriod = z.infer<typeof retentionPeriod>

const label = z.object({ fr: z.string(), en: z.string() })
/** When the rows of tables end: with a kind of personal data, after `days`, or not, for a reason. */
export const tableEnding = z.object({
  label,
  tables: z.array(z.string()),
  kind: z.string().nullable(),
  days: z.int().nullable(),
  reason: label.nullable(),
})
export type TableEnding = z.infer<typeof tableEnding>

const day = z.iso.date()
/** Of a day that comes before what it follows. */
export const tooEarly = 'too early'
const incidentFields = z.strictObject({
  information: requiredText(limits.text),
  circumstances: requiredText(limits.text),
  happened: requiredText(limits.name),
  /** The day, where it is known. */
  happened_on: day.nullable().default(null),
  discovered_on: day,
  people_count: z.int().min(0).max(100_000_000).nullable(),
  risk_assessment: requiredText(limits.text),
  serious_risk: z.boolean(),
  commission_told_on: day.nullable(),
  people_told_on: day.nullable(),
  measures: requiredText(limits.text),
})
export const incidentInput = incidentFields.extend({ version: entryVersion }).superRefine((one, context) => {
  const order = [
    ['discovered_on', one.happened_on, one.discovered_on],
    ['commission_told_on', one.discovered_on, one.commission_told_on],
    ['people_told_on', one.discovered_on, one.people_told_on],
  ] as const
  for (const [field, first, then] of order)
    if (first !== null && then !== null && then < first) context.addIssue({ code: 'custom', path: [field], message: tooEarly })
})
export type IncidentInput = z.infer<typeof incidentInput>
export const incident = incidentFields.extend({ id_incident: id, version: z.int() })
export type Incident = z.infer<typeof incident>

/** A request of a person about their information, which the company must answer within 30 days (Law 25). */
const demandFields = z.strictObject({
  kind: z.enum(demandKinds),
  received_on: day,
  answered_on: day.nullable(),
  outcome: text(limits.text),
  note: text(limits.text),
})
export const demandInput = demandFields
  .extend({ version: entryVersion })
  .refine((one) => one.answered_on === null || one.answered_on >= one.received_on, { path: ['answered_on'], message: tooEarly })
export type DemandInput = z.infer<typeof demandInput>
export const demand = demandFields.extend({ id_demand: id, due_on: day, version: z.int() })
export type Demand = z.infer<typeof demand>

export const registerQuery = z.strictObject({ language: z.enum(languages).default('fr') })

declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    /** Requests of the register that are past their day; absent where there are none. */
    late_demands: number
  }
}
