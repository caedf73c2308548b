import { z } from 'zod'
import { findOverlap } from '#src/lib/time/business-hours.ts'
import { languages } from '#src/lib/language/language.ts'
import {
  email,
  id,
  isoDateTime,
  limits,
  requiredLine,
  requiredText,
  text,
  englishOlder,
  englishReviewed,
  entryVersion,
  idParam,
} from '#src/lib/schemas.ts'
import { autoReply, chatKey, chatMessage, staffMessage } from './protocol.ts'
import { attachedFileMax, blockHours, chatMessageMax, leftMessageMax } from './values.ts'
import { hasOneContent, uploadId } from '#src/lib/upload-schemas.ts'

export const chatKeyInput = z.strictObject({ id_chat: chatKey })

/** Without `language` the transcript is in the language of the chat. */
export const transcriptInput = z.strictObject({ id_chat: chatKey, language: z.enum(languages).optional() })

export const ratingInput = z.strictObject({
  id_chat: chatKey,
  rating: z.int().min(1, 'from 1 to 5').max(5, 'from 1 to 5'),
  comment: text(1_000).default(''),
})

const base64Max = Math.ceil(attachedFileMax / 3) * 4

/** The server decides the type by the content and cleans the name. */
const attachment = z.strictObject({
  client_message_id: z.uuid(),
  name: text(1_000),
  data: z
    .string()
    .max(base64Max, 'too large')
    // Searches for a foreign character: an expression that matches the whole file overflows V8's stack.
    .refine((data) => data !== '' && !/[^\w+/=-]/.test(data), 'base64'),
})
export const attachInput = attachment.extend({ id_chat: chatKey })
/** A technician's file to the visitor. */
export const staffAttachInput = attachment
  .partial({ data: true })
  .extend({ id_chat: id, upload: uploadId.optional() })
  .refine(hasOneContent, 'data or upload')
export const attachedFileInput = z.strictObject({ id_chat: chatKey, id_file: id })

/** A message left where nobody answers; with a key the conversation is attached to it. */
export const leftMessageInput = z.strictObject({
  id_chat: chatKey.optional(),
  /** The same id with the same content is one request. */
  client_id: z.uuid().toLowerCase().optional(),
  name: requiredLine(limits.name),
  email,
  phone: text(limits.phone).default(''),
  message: requiredText(leftMessageMax),
  language: z.enum(languages).default('fr'),
  page: text(300).default(''),
  /** Honeypot: only a robot fills it. */
  honey: text(limits.message).default(''),
})
export const leftMessageReceipt = z.object({ reference: z.string() })

/** The message that carries an attached file. */
export const attachedMessage = z.object({ message: chatMessage })
export const staffAttachedMessage = z.object({ message: staffMessage })

/** A closing of `24:00` is the midnight after the day; one that is before its opening is on the next day. */
const timeSpan = z.object({ opens: z.string(), closes: z.string() })

/** `GET /public_api/chat/available-users`. */
export const chatAvailability = z.object({
  /** Technicians who are available and connected. */
  user_count: z.int(),
  open: z.boolean(),
  /** `busy`: nobody is available within the hours. */
  state: z.enum(['open', 'busy', 'closed']),
  /** The urgent banner is on. */
  emergency: z.boolean(),
  /** Null within the hours. */
  next_opening: z.string().nullable(),
  /** While nobody is available: how long visitors waited lately, in minutes; null with too few cases. */
  expected_minutes: z.int().nullable(),
  auto_reply: autoReply,
  /** The median wait of the last 30 days; null with too few cases. */
  usual_minutes: z.int().nullable(),
  /** The supervisor's text about the wait; may be empty. */
  expected_wait: z.string(),
  expected_wait_en: z.string(),
  no_answer_minutes: z.int(),
  attachments_enabled: z.boolean(),
  /** How long conversations are stored. */
  retention: z.object({ count: z.int(), unit: z.enum(['days', 'months']) }),
  hours: z.object({
    days: z.array(z.int()),
    /** Of the first hours of the week; `week` holds all. */
    opens: z.string(),
    closes: z.string(),
    week: z.array(z.object({ day: z.int(), spans: z.array(timeSpan) })),
    /** Of today and later; without spans the chat is closed on that date. */
    holidays: z.array(z.object({ date: z.string(), spans: z.array(timeSpan) })),
    time_zone: z.string(),
    zone_name: z.string(),
    zone_name_en: z.string(),
    /** Minutes by which it is ahead of UTC now. */
    utc_offset: z.int(),
    /** When the company's hours begin next; null within them. */
    next_opening: z.string().nullable(),
    /** When the hours end; null outside them, and where they last longer than a day. */
    closes_at: z.string().nullable(),
  }),
})
export type ChatAvailability = z.infer<typeof chatAvailability>

/** A canned reply in both languages; typed as `/bonjour`, its shortcut is `bonjour`. */
const cannedFields = z.strictObject({
  shortcut: z.string().regex(/^[\p{L}\p{N}_-]{1,40}$/u, 'letters and digits only'),
  reply: requiredText(chatMessageMax),
  reply_en: text(chatMessageMax).default(''),
})
export const cannedInput = cannedFields.extend({ version: entryVersion, english_reviewed: englishReviewed })
export type CannedInput = z.infer<typeof cannedInput>
export const cannedReply = cannedFields.extend({
  id_canned: id,
  created_at: isoDateTime,
  english_older: englishOlder,
  version: z.int(),
})
export type CannedReply = z.infer<typeof cannedReply>

/** The whole contact of a conversation as it should be, and why; the reason stands in the audit log. */
export const visitorChange = z.strictObject({
  contact: z.strictObject({
    name: requiredLine(limits.name).transform((value) => value.trim()),
    email: requiredLine(limits.email).pipe(email),
    business: text(limits.name)
      .refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'one line only')
      .transform((value) => value.trim()),
  }),
  reason: requiredLine(limits.name),
})
export type VisitorChange = z.infer<typeof visitorChange>

/** Blocks the visitor of a chat by e-mail, IP address or both, for some hours or until somebody lifts it (`null`). */
export const blockInput = z
  .strictObject({
    id_chat: id,
    by_email: z.boolean(),
    by_address: z.boolean(),
    reason: requiredLine(limits.title),
    hours: z
      .union(
        blockHours.map((hours) => z.literal(hours)),
        'choice',
      )
      .nullable(),
  })
  .refine((input) => input.by_email || input.by_address, { path: ['by_email'], message: 'required' })
export type BlockInput = z.infer<typeof blockInput>
export const block = z.object({
  id_block: id,
  email: email.nullable(),
  /** Also by the IP address, of which only a hash is kept. */
  by_address: z.boolean(),
  reason: z.string(),
  until: isoDateTime.nullable(),
  user_name: z.string(),
  created_at: isoDateTime,
})
export type Block = z.infer<typeof block>

/** A device's push subscription (RFC 8291): the address of its push service, and its keys in base64url. */
const endpoint = z.url({ protocol: /^https$/ }).max(1_000, 'at most 1000 characters')
export const pushEndpoint = z.strictObject({ endpoint })
export const pushDevice = z.strictObject({
  endpoint,
  keys: z.strictObject({
    p256dh: z.string().regex(/^B[\w-]{86}$/, 'an uncompressed P-256 point'),
    auth: z.string().regex(/^[\w-]{22}$/, '16 bytes in base64url'),
  }),
})
/** The key by which push services know this installation, and one's own devices. */
export const pushState = z.object({
  public_key: z.string(),
  devices: z.array(
    z.object({ id_device: id, endpoint: z.string(), user_agent: z.string(), created_at: isoDateTime, answered_at: isoDateTime }),
  ),
})
export type PushState = z.infer<typeof pushState>

/** A technician's own start in the chat: what visitors see of them, and which first steps are done. */
export const ownStart = z.object({
  user_name: z.string(),
  image_url: z.string().nullable(),
  title: z.string(),
  title_en: z.string(),
  device_count: z.int(),
  was_available: z.boolean(),
})
export type OwnStart = z.infer<typeof ownStart>

/** Turns a chat into a request; the conversation is attached. */
export const chatRequestInput = z.strictObject({ subject: requiredLine(limits.title), summary: text(limits.message).default('') })
export type ChatRequestInput = z.infer<typeof chatRequestInput>
/** An answer to a visitor who left, or whose conversation was closed; the same id twice is mailed once. */
export const chatMailInput = z.strictObject({ text: requiredText(chatMessageMax), client_id: z.uuid().toLowerCase() })
export type ChatMailInput = z.infer<typeof chatMailInput>
export const linkedRequest = z.object({
  id_request: id,
  reference: z.string(),
  status: z.enum(['new', 'open', 'waiting', 'done']),
  /** This chat was turned into it. */
  is_from_chat: z.boolean(),
})
export type LinkedRequest = z.infer<typeof linkedRequest>

/** Two at most; `text` is what is inserted, and of an article its title with its address. */
export const suggestionQuery = z.strictObject({ chat: idParam })
export const suggestion = z.object({
  kind: z.enum(['reply', 'article']),
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string().nullable(),
})
export type Suggestion = z.infer<typeof suggestion>

/** The visitor's requests and other chats, and whether they are blocked. */
export const chatContext = z.object({
  requests: z.array(linkedRequest),
  chats: z.array(z.object({ id, created_at: isoDateTime, user_name: z.string().nullable() })),
  has_address: z.boolean(),
  is_blocked: z.boolean(),
})
export type ChatContext = z.infer<typeof chatContext>

export const testMail = z.object({
  id_mail: id,
  recipient: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  /** False without a mail server: the mail is stored. */
  can_send: z.boolean(),
})
export type TestMail = z.infer<typeof testMail>

export const idParams = z.strictObject({ id: idParam })

/** Five years, with two leap days. */
const longestRange = 5 * 365 + 2
const dayMs = 86_400_000
const range = { from: z.iso.date(), to: z.iso.date() }
const isRange = ({ from, to }: { from: string; to: string }) =>
  from <= to && Date.parse(to) - Date.parse(from) < longestRange * dayMs
const tooLong = 'a range of five years at most'

export const figuresQuery = z.strictObject(range).refine(isRange, tooLong)
export const figuresExportQuery = z.strictObject({ ...range, language: z.enum(languages).default('fr') }).refine(isRange, tooLong)

/** Times are in business minutes; null where nothing was measured. */
const counts = z.object({
  chats: z.int(),
  missed: z.int(),
  answer_median: z.number().nullable(),
  answer_p90: z.number().nullable(),
  resolution_median: z.number().nullable(),
  resolution_p90: z.number().nullable(),
  /** From the start to the first claim. */
  wait_median: z.number().nullable(),
  wait_p90: z.number().nullable(),
  /** The longest time for which a conversation's visitor waited for a reply. */
  silence_median: z.number().nullable(),
  silence_p90: z.number().nullable(),
  /** Taken over from a colleague by an administrator of the chat. */
  taken_over: z.int(),
  /** The visitor left before anybody replied. */
  given_up: z.int(),
  /** Mean of 1 to 5. */
  rating: z.number().nullable(),
  ratings: z.int(),
})

export const chatFigures = z.object({
  total: counts,
  /** The total of as many days before. */
  before: counts,
  days: z.array(counts.extend({ day: z.string() })),
  technicians: z.array(counts.extend({ id_user: z.int(), user_name: z.string() })),
})

export type ChatFigures = z.infer<typeof chatFigures>
export type ChatCounts = z.infer<typeof counts>

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 08:00')
const minutes = z.int().min(1, 'from 1 to 240 minutes').max(240, 'from 1 to 240 minutes')
const notice = text(1_000)

const spans = z
  .array(
    z
      .strictObject({ opens: clock, closes: z.union([clock, z.literal('24:00')], 'a time such as 08:00') })
      .refine(({ opens, closes }) => opens !== closes, 'closes when it opens'),
  )
  .max(6)

const openDay = z.strictObject({ day: z.int().min(1).max(7), spans })
export const holidaysMax = 200
export const holiday = z.strictObject({ date: z.iso.date('a date'), name: requiredLine(100), name_en: text(100), spans })

/** Refuses hours of which two overlap; those of a night count until the next morning. */
function refuseOverlap(week: z.infer<typeof openDay>[], context: z.core.$RefinementCtx) {
  const overlap = findOverlap(week)
  if (overlap) context.addIssue({ code: 'custom', path: [overlap.day, 'spans', overlap.span], message: 'overlaps' })
}

/** Each holiday by itself, since its neighbors have hours of their own. */
function refuseHolidayOverlap(holidays: z.infer<typeof holiday>[], context: z.core.$RefinementCtx) {
  for (const [index, { spans: ofDay }] of holidays.entries()) {
    const overlap = findOverlap([{ day: 1, spans: ofDay }])
    if (overlap) context.addIssue({ code: 'custom', path: [index, 'spans', overlap.span], message: 'overlaps' })
  }
}

/** The origin of another site: what a browser sends, and what `frame-ancestors` takes. */
const origin = z
  .string()
  .refine((value) => URL.canParse(value) && isWebOrigin(new URL(value), value), 'an address such as https://www.example.com')

function isWebOrigin({ protocol, origin: wanted }: URL, value: string) {
  return (protocol === 'https:' || protocol === 'http:') && wanted === value
}

const isEachOnce = (names: readonly (string | number)[]) => new Set(names).size === names.length

/** The settings of the chat; until the first save those of `company/`. */
export const chatSettings = z.strictObject({
  /** 0 before the first save. */
  version: z.int().min(0),
  /** A day without an entry is closed. */
  week: z
    .array(openDay)
    .max(7)
    .refine((week) => isEachOnce(week.map(({ day }) => day)), 'each day once')
    .superRefine(refuseOverlap),
  holidays: z
    .array(holiday)
    .max(holidaysMax)
    .refine((all) => isEachOnce(all.map(({ date }) => date)), 'each date once')
    .superRefine(refuseHolidayOverlap),
  auto_reply: z.boolean(),
  auto_reply_message: notice,
  auto_reply_message_en: notice,
  expected_wait: text(200),
  expected_wait_en: text(200),
  /** Without an answer for so long, the visitor may leave a message instead. */
  no_answer_minutes: minutes,
  /** A claimed chat whose visitor waits so long for an answer goes back to the queue. */
  release_minutes: minutes.default(3),
  /** A visitor who has waited so long for their technician's answer stands out, and the bell rings once. */
  silence_seconds: z.int().min(5, 'from 5 to 600 seconds').max(600, 'from 5 to 600 seconds').default(30),
  /** An unclaimed chat is notified on the desktop, then by mail, after so many minutes. */
  escalation_notification_minutes: minutes,
  escalation_mail_minutes: minutes,
  attachments_enabled: z.boolean(),
  /** Sites that may embed the chat and call its API. */
  embed_origins: z.array(origin).max(50).refine(isEachOnce, 'each site once'),
})

export const chatSettingsInput = chatSettings.superRefine(({ auto_reply, auto_reply_message, ...rest }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (auto_reply && auto_reply_message.trim() === '') refuse('auto_reply_message', 'required')
  if (rest.escalation_mail_minutes < rest.escalation_notification_minutes)
    refuse('escalation_mail_minutes', 'after the notification')
})

export type ChatSettings = z.infer<typeof chatSettings>

/** On the landing screen: what the lamp shows everywhere, whether the chat is open, and until when. */
export const counterChat = z.object({
  lamp: z.enum(['open', 'busy', 'closed', 'emergency']),
  state: z.enum(['open', 'busy', 'closed']),
  next_opening: z.string().nullable(),
  closes_at: z.string().nullable(),
  time_zone: z.string(),
})
declare module '#src/features/content/counter/contract.ts' {
  interface CounterFacts {
    chat: z.infer<typeof counterChat>
  }
}
