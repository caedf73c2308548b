import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import {
  email as emailAddress,
  entryVersion,
  id,
  idParam,
  isoDateTime,
  limits,
  requiredLine,
  requiredText,
  text,
} from '#src/lib/schemas.ts'
import { messageMax } from './form-values.ts'
import { mailStates, requestKinds, requestSorts, requestStatuses, storedStatuses, traps } from './values.ts'

/** What a form sends beside its fields; a client of the API may leave all of it out. */
const traces = {
  /** Stays empty: only a robot fills it. */
  honey: text(messageMax).default(''),
  language: z.enum(languages).optional(),
  /** When the form was shown: the server's signed word for it, which a form without JavaScript carries back. */
  shown_at: text(100).optional(),
  /** The same measured by the page's script, in milliseconds. */
  elapsed_ms: z.int().nonnegative().optional(),
  /** Made with the form: sent twice with the same content, it is one request. */
  client_id: z.uuid().toLowerCase().optional(),
}

// A message of its own: nothing was entered, which is not a wrong value.
const email = requiredLine(limits.email).pipe(emailAddress)

export const supportInput = z.strictObject({
  ...traces,
  username: text(messageMax).default(''),
  action: z.literal('send_request').optional(),
  firstname: requiredLine(limits.name),
  lastname: requiredLine(limits.name),
  email,
  phone: requiredLine(limits.phone),
  subject: requiredLine(limits.title),
  description: requiredText(messageMax),
})
export type SupportInput = z.infer<typeof supportInput>

export const contactInput = z.strictObject({
  ...traces,
  name: requiredLine(limits.name),
  email,
  phone: requiredLine(limits.phone),
  message: requiredText(messageMax),
})
export type ContactInput = z.infer<typeof contactInput>

/** What a form made in the browser needs before it is sent. */
export const formStart = z.object({ shown_at: z.string() })
export const requestReceipt = z.object({ reference: z.string() })
export type RequestReceipt = z.infer<typeof requestReceipt>

const person = z.object({ id_user: id, display_name: z.string() })
export type Assignee = z.infer<typeof person>
export const assigneeList = z.array(person)

export const requestSummary = z.object({
  id_request: id,
  reference: z.string(),
  kind: z.enum(requestKinds),
  status: z.enum(storedStatuses),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  subject: z.string(),
  language: z.enum(languages),
  assigned_to: person.nullable(),
  mail_state: z.enum(mailStates).nullable(),
  created_at: isoDateTime,
  /** A suspected request: its content, the trap that caught it, and facts that help to decide. */
  suspicion: z
    .object({
      message: z.string(),
      trap: z.enum(traps),
      /** Requests that came from this address before, and were none of a robot. */
      known_requests: z.int(),
      links: z.int(),
      /** Others that wait with the same text. */
      copies: z.int(),
    })
    .optional(),
})
export type RequestSummary = z.infer<typeof requestSummary>

export const requestComment = z.object({
  id_comment: id,
  id_user: id.nullable(),
  user_name: z.string(),
  body: z.string(),
  created_at: isoDateTime,
})

const requestMail = z.object({
  state: z.enum(mailStates),
  recipient: z.string(),
  attempts: z.int(),
  last_error: z.string().nullable(),
  sent_at: isoDateTime.nullable(),
  /** False without `SMTP_URL`: the mail is kept, the request is read here. */
  can_send: z.boolean(),
})

export const requestDetail = requestSummary.extend({
  firstname: z.string(),
  lastname: z.string(),
  message: z.string(),
  page: z.string(),
  /** The conversation it was made from. */
  id_chat: id.nullable(),
  done_at: isoDateTime.nullable(),
  mail: requestMail.nullable(),
  comments: z.array(requestComment),
  version: z.int(),
})
export type RequestDetail = z.infer<typeof requestDetail>

const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)

const filter = {
  /** Suspected ones are in the list only where they are asked for. */
  status: z.enum(storedStatuses).optional(),
  kind: z.enum(requestKinds).optional(),
  /** The assignee; `none` when unassigned. */
  assigned_to: z.union([z.literal('none'), idParam]).optional(),
  search: text(limits.name).optional(),
}
export const requestQuery = z.strictObject({
  ...filter,
  sort: z.enum(requestSorts).default('-created_at'),
  page: pageNumber.default(1),
})
export type RequestQuery = z.infer<typeof requestQuery>
export const requestExportQuery = z.strictObject({ ...filter, language: z.enum(languages).default('fr') })
export type RequestFilter = Pick<RequestQuery, keyof typeof filter>

/** What is left out stays as it is; `id_user` null takes the request from whoever had it. */
export const requestChange = z.strictObject({
  status: z.enum(requestStatuses).optional(),
  id_user: id.nullable().optional(),
  version: entryVersion,
})
export type RequestChange = z.infer<typeof requestChange>

/** How many wait for a word, since when, and what was counted without being stored. */
export const suspectedSummary = z.object({
  count: z.int(),
  oldest_at: isoDateTime.nullable(),
  /** How many of them come from an address that wrote before. */
  known: z.int(),
  not_stored: z.array(z.object({ day: z.string(), count: z.int() })),
})
export type SuspectedSummary = z.infer<typeof suspectedSummary>

export const commentInput = z.strictObject({ body: requiredText(messageMax) })
export const requestParams = z.strictObject({ id: idParam })
