import { z } from 'zod'
import {
  email,
  englishOlder,
  englishReviewed,
  entryVersion,
  id,
  idParam,
  isoDateTime,
  limits,
  requiredLine,
  requiredText,
  text,
} from '#src/lib/schemas.ts'
import { blockHours, chatMessageMax } from './values.ts'

/** An answer kept ready, in both languages; typed as `/bonjour`, its shortcut is `bonjour`. */
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

/** Keeps the visitor of a chat away: by their e-mail, their address or both, for some hours or until it is lifted (`null`). */
export const blockInput = z
  .strictObject({
    id_chat: id,
    by_email: z.boolean(),
    by_address: z.boolean(),
    reason: requiredLine(limits.title),
    hours: z.union(blockHours.map((hours) => z.literal(hours))).nullable(),
  })
  .refine((input) => input.by_email || input.by_address, { path: ['by_email'], message: 'required' })
export type BlockInput = z.infer<typeof blockInput>
export const block = z.object({
  id_block: id,
  email: email.nullable(),
  address: z.string().nullable(),
  reason: z.string(),
  until: isoDateTime.nullable(),
  user_name: z.string(),
  created_at: isoDateTime,
})
export type Block = z.infer<typeof block>

/** What a technician adds when a chat becomes a request; the conversation itself comes with it. */
export const chatRequestInput = z.strictObject({ subject: requiredLine(limits.title), summary: text(limits.message).default('') })
export type ChatRequestInput = z.infer<typeof chatRequestInput>
export const linkedRequest = z.object({
  id_request: id,
  reference: z.string(),
  status: z.enum(['new', 'open', 'done']),
  /** Made from this very chat. */
  is_from_chat: z.boolean(),
})
export type LinkedRequest = z.infer<typeof linkedRequest>

/** What is known of the person of a chat: their requests, their other chats, whether they are kept away. */
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
  /** False without a mail server: the mail is kept. */
  can_send: z.boolean(),
})
export type TestMail = z.infer<typeof testMail>

export const idParams = z.strictObject({ id: idParam })
