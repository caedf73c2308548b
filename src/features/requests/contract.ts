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
  visitSource,
} from '#src/lib/schemas.ts'
import { messageMax } from './form-values.ts'
import { hasOneContent, uploadId } from '#src/lib/upload-schemas.ts'
import {
  channels,
  contactParts,
  deliveries,
  entryKinds,
  inboxStates,
  mailPurposes,
  mailStates,
  priorities,
  replyFilesMax,
  replyFilesMaxBytes,
  replyMax,
  requestKinds,
  requestSorts,
  requestStatuses,
  requestViews,
  storedStatuses,
  traps,
} from './values.ts'

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
  /** Where the first page of the visitor's tab was opened from. */
  source: visitSource.nullable().optional(),
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
/** `follow`: path of the customer's page. */
export const requestReceipt = z.object({ reference: z.string(), follow: z.string().nullable() })
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
  /** The worst state of the mails that the customer was sent. */
  delivery: z.enum(deliveries).nullable(),
  priority: z.enum(priorities),
  /** Goals, in business hours; null where the request has none. */
  respond_by: isoDateTime.nullable(),
  resolve_by: isoDateTime.nullable(),
  is_late: z.boolean(),
  created_at: isoDateTime,
  source: visitSource.nullable(),
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
  /** False without `SMTP_URL`: the mail is stored, the request is read here. */
  can_send: z.boolean(),
})

const requestFile = z.object({ id_file: id, name: z.string(), type: z.string(), size: z.int() })

/** A change of state, as far as it changed something. */
export const requestEvent = z.object({
  status: z.object({ from: z.enum(storedStatuses), to: z.enum(storedStatuses) }).optional(),
  /** Null: nobody. */
  assignee: z.string().nullable().optional(),
  priority: z.enum(priorities).optional(),
  merged: z.string().optional(),
  unmerged: z.string().optional(),
  split: z.string().optional(),
  linked: z.string().optional(),
  spam: z.boolean().optional(),
  hold: z.boolean().optional(),
  /** Which parts of the contact were corrected; the values themselves are in no event. */
  contact: z.array(z.enum(contactParts)).optional(),
  /** Number of the outage that it was linked to; null where it was unlinked. */
  incident: z.string().nullable().optional(),
})
export type RequestEvent = z.infer<typeof requestEvent>

const entryMail = z.object({
  recipient: z.string(),
  purpose: z.enum(mailPurposes),
  delivery: z.enum(deliveries),
  error: z.string().nullable(),
  sent_at: isoDateTime.nullable(),
})

export const requestEntry = z.object({
  id_entry: id,
  kind: z.enum(entryKinds),
  channel: z.enum(channels),
  id_user: id.nullable(),
  author: z.string(),
  text: z.string(),
  /** What a mail quoted of the history. */
  quoted: z.string(),
  /** Cleaned by the allow-list of rich text; null where the text is all there is. */
  html: z.string().nullable(),
  files: z.array(requestFile),
  event: requestEvent.nullable(),
  at: isoDateTime,
  /** The worst state of its mails; null where it led to none. */
  delivery: z.enum(deliveries).nullable(),
  error: z.string().nullable(),
  mails: z.array(entryMail),
  message_id: z.string().nullable(),
})
export type RequestEntry = z.infer<typeof requestEntry>

/** An outage that was published. */
const linkedIncident = z.object({ id_incident: id, number: z.string(), title: z.string(), title_en: z.string() })
const related = z.object({ id_request: id, reference: z.string(), subject: z.string(), status: z.enum(storedStatuses) })

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
  /** The whole thread, oldest first. */
  entries: z.array(requestEntry),
  first_reply_at: isoDateTime.nullable(),
  /** The customer's page; null where `PUBLIC_URL` is not set. */
  customer_page: z.string().nullable(),
  merged_into: related.nullable(),
  merged: z.array(related),
  linked: z.array(related),
  /** Other requests of the same address that are not done. */
  similar: z.array(related),
  is_spam: z.boolean(),
  /** A legal hold: neither deleted, nor erased, nor touched by retention. */
  on_hold: z.boolean(),
  /** Requests of this address in all, this one among them. */
  request_count: z.int(),
  id_incident: id.nullable(),
  incident: linkedIncident.nullable(),
  /** Outages that are not over. */
  open_incidents: z.array(linkedIncident),
  version: z.int(),
})
export type RequestDetail = z.infer<typeof requestDetail>

const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)

const filter = {
  /** Suspected ones are listed only on request. */
  status: z.enum(storedStatuses).optional(),
  kind: z.enum(requestKinds).optional(),
  /** The assignee; `none` when unassigned. */
  assigned_to: z.union([z.literal('none'), idParam]).optional(),
  search: text(limits.name).optional(),
  view: z.enum(requestViews).optional(),
}
export const requestQuery = z.strictObject({
  ...filter,
  sort: z.enum(requestSorts).default('-created_at'),
  page: pageNumber.default(1),
})
export type RequestQuery = z.infer<typeof requestQuery>
export const requestExportQuery = z.strictObject({ ...filter, language: z.enum(languages).default('fr') })
export type RequestFilter = Pick<RequestQuery, keyof typeof filter>
export const requestViewCounts = z.record(z.enum(requestViews), z.int())
export type RequestViewCounts = z.infer<typeof requestViewCounts>

const optionalLine = (max: number) => text(max).refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'one line only')

/** The whole contact as it should be; who has one name only has it as the last one. */
const contactChange = z.strictObject({
  firstname: optionalLine(limits.name),
  lastname: requiredLine(limits.name),
  email,
  phone: optionalLine(limits.phone),
})
export type ContactChange = z.infer<typeof contactChange>

/** What is left out stays as it is; `id_user` null takes the request from whoever had it. */
export const requestChange = z
  .strictObject({
    status: z.enum(requestStatuses).optional(),
    id_user: id.nullable().optional(),
    priority: z.enum(priorities).optional(),
    id_incident: id.nullable().optional(),
    contact: contactChange.optional(),
    /** Why the contact is corrected; it stands in the audit log. */
    reason: requiredLine(limits.name).optional(),
    version: entryVersion,
  })
  .refine(({ contact, reason }) => !contact || reason, { path: ['reason'], message: 'required' })
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

const publicEntry = requestEntry
  .pick({ id_entry: true, channel: true, author: true, text: true, quoted: true, files: true, at: true })
  .extend({ kind: z.enum(['customer', 'staff']) })

export const customerPageInput = z.strictObject({ token: text(100) })
/** What the customer sees of a request, without internal entries. */
export const customerPage = z.discriminatedUnion('state', [
  z.object({ state: z.literal('expired'), reference: z.string(), language: z.enum(languages) }),
  z.object({
    state: z.literal('open'),
    reference: z.string(),
    language: z.enum(languages),
    subject: z.string(),
    status: z.enum(requestStatuses),
    created_at: isoDateTime,
    taken_at: isoDateTime.nullable(),
    done_at: isoDateTime.nullable(),
    assignee: z.object({ name: z.string(), title: z.string(), title_en: z.string() }).nullable(),
    incident: linkedIncident.nullable(),
    /** Whether a message opens it again; else a message begins another request. */
    reopens: z.boolean(),
    /** The ended request in which this one was begun, and the one that was begun in this one. */
    continues: z.string().nullable(),
    continued_by: z.object({ reference: z.string(), path: z.string() }).nullable(),
    /** For the reply of this page: sent twice, it is one reply. */
    client_id: z.string(),
    entries: z.array(publicEntry),
  }),
])
export type CustomerPage = z.infer<typeof customerPage>
/** What the page says after a post. */
export type CustomerPageNotice = { is_good: boolean; text: { fr: string; en: string } }
/** Why a post of the page was not taken. */
export type CustomerPageProblem = 'vide' | 'long' | 'fichiers' | 'limite' | 'erreur'

const fileData = z.base64().max(Math.ceil(replyFilesMaxBytes / 3) * 4)
const fileInput = z
  .strictObject({ name: requiredLine(limits.name), data: fileData.optional(), upload: uploadId.optional() })
  .refine(hasOneContent, 'data or upload')

export const replyInput = z.strictObject({
  text: requiredText(replyMax),
  files: z.array(fileInput).max(replyFilesMax).default([]),
  /** Made with the reply: sent twice, it is one reply. */
  client_id: z.uuid().toLowerCase(),
  /** The status that the reply leaves behind. */
  status: z.enum(requestStatuses).optional(),
  cc: z.array(email).max(10).default([]),
  /** The last entry that the author saw: a `Conflict` where somebody else wrote since. */
  last_entry: id.optional(),
})
export type ReplyInput = z.infer<typeof replyInput>

/** Sent while the request is open in a browser. */
export const presenceInput = z.strictObject({ is_writing: z.boolean() })
export const presence = z.object({
  version: z.int(),
  last_entry: id.nullable(),
  /** Who wrote last, other than the caller. */
  last_author: z.string().nullable(),
  others: z.array(z.object({ id_user: id, display_name: z.string(), is_writing: z.boolean() })),
})
export type Presence = z.infer<typeof presence>

const goal = z
  .strictObject({ respond_minutes: z.int().min(1).max(100_000), resolve_minutes: z.int().min(1).max(100_000) })
  .refine(({ respond_minutes: respond, resolve_minutes: resolve }) => resolve >= respond, {
    path: ['resolve_minutes'],
    message: 'shorter than the first reply',
  })
export const requestSettings = z.strictObject({
  version: z.int().nonnegative(),
  /** Business minutes, by priority. */
  goals: z.strictObject({ low: goal, normal: goal, high: goal, urgent: goal }),
  /** Days after the end within which a reply opens the request again. */
  reopen_days: z.int().min(0).max(3_650),
  /** Mail of a stranger: a new request, or it waits for a person. */
  unknown_mail: z.enum(['request', 'review']),
})
export type RequestSettings = z.infer<typeof requestSettings>

/** A mail that waits for a person, or that could not be read. */
export const inboxMail = z.object({
  id_mail: id,
  state: z.enum(inboxStates),
  reason: z.string().nullable(),
  from_name: z.string(),
  from_address: z.string(),
  subject: z.string(),
  size: z.int(),
  received_at: isoDateTime,
})

export type InboxMail = z.infer<typeof inboxMail>
export const requestBlock = z.object({
  email: z.string(),
  id_request: id.nullable(),
  reference: z.string().nullable(),
  created_at: isoDateTime,
})
export type RequestBlock = z.infer<typeof requestBlock>
/** In a body, since URLs are logged. */
export const blockInput = z.strictObject({ email })
export const holdInput = z.strictObject({ on_hold: z.boolean() })
export const mergeInput = z.strictObject({ into: id })
export const linkInput = z.strictObject({ to: id })
export const entryParams = z.strictObject({ id: idParam, entry: idParam })
export const fileParams = z.strictObject({ id: idParam, file: idParam })
export const commentInput = z.strictObject({ body: requiredText(messageMax) })
export const requestParams = z.strictObject({ id: idParam })
