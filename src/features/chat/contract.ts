import { z } from 'zod'
import { languages } from '#src/lib/language.ts'
import { email, id, isoDateTime, requiredLine, text } from '#src/lib/schemas.ts'

import { chatMessageMax } from './values.ts'

/** The visitor's key: 24 random bytes in base64url (contract.md 5). */
export const chatKey = z.string().regex(/^[\w-]{32}$/)

const message = text(chatMessageMax * 2)
  .transform((value) => value.trim())
  .refine((value) => value.length >= 1 && value.length <= chatMessageMax, '1 to 4000 characters')
const clientMessageId = z.uuid().optional()
const seq = z.int().min(0).max(2_147_483_647)

/** Payloads of the visitor's socket events. */
export const visitorInputs = {
  'chat:connect': z.strictObject({
    client_name: requiredLine(200),
    client_email: email,
    client_business: text(200).default(''),
    language: z.enum(languages).default('fr'),
    page: text(300).default(''),
  }),
  'chat:client-join': z.strictObject({ id_chat: chatKey, after_seq: seq.default(0) }),
  'chat:send-message': z.strictObject({ id_chat: chatKey, message, client_message_id: clientMessageId }),
  'chat:typing': z.strictObject({ id_chat: chatKey }),
  'chat:read': z.strictObject({ id_chat: chatKey, seq }),
  'chat:close': z.strictObject({ id_chat: chatKey }),
} as const

/** Payloads of the technicians' socket events, on `/staff`. */
export const staffInputs = {
  'staff:availability': z.strictObject({ available: z.boolean() }),
  'staff:chats': z.strictObject({
    scope: z.enum(['open', 'all']).default('open'),
    search: text(200).default(''),
    before: isoDateTime.optional(),
  }),
  'staff:open': z.strictObject({ id, after_seq: seq.default(0) }),
  'staff:claim': z.strictObject({ id }),
  'staff:transfer': z.strictObject({ id, id_user: id }),
  'staff:send-message': z.strictObject({ id, message, client_message_id: clientMessageId, after_seq: seq.optional() }),
  'staff:note': z.strictObject({ id, message, client_message_id: clientMessageId }),
  'staff:typing': z.strictObject({ id }),
  'staff:read': z.strictObject({ id, seq }),
  'staff:close': z.strictObject({ id }),
} as const

export const chatKeyInput = z.strictObject({ id_chat: chatKey })

export const chatAvailability = z.object({
  user_count: z.int(),
  open: z.boolean(),
  auto_reply: z.object({
    chat_auto_reply: z.boolean(),
    chat_auto_reply_message: z.string(),
    chat_auto_reply_message_en: z.string(),
  }),
  expected_wait: z.string(),
  expected_wait_en: z.string(),
  no_answer_minutes: z.int(),
  attachments_enabled: z.boolean(),
  retention_days: z.int(),
  hours: z.object({
    days: z.array(z.int()),
    opens: z.string(),
    closes: z.string(),
    week: z.array(z.object({ day: z.int(), opens: z.string(), closes: z.string() })),
    time_zone: z.string(),
    next_opening: z.string().nullable(),
    closes_at: z.string().nullable(),
  }),
})
