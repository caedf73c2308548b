import { z } from 'zod'
import { languages } from '#src/lib/language/language.ts'
import { email, id, isoDateTime, requiredLine, text, visitSource } from '#src/lib/schemas.ts'
import { isBlank, tidyText } from '#src/lib/text/plain-text.ts'
import { chatMessageMax, readMax, tagMax, tagsPerChat } from './values.ts'

/*
 * Every Socket.IO event of the chat, once: the namespace `/` of the visitors and `/staff` of the technicians.
 * Pages import types only (`import type`), so that no Zod reaches a browser.
 *
 * A client asks by an event with an acknowledgement: `{ok: true, ...}` or `{ok: false, error: {code, message}}`.
 * A message has a number, `seq`: 1, 2, 3… per conversation without gaps. Acknowledged means committed. The sender's
 * own `client_message_id` makes a repeated message harmless: it is stored once, and the stored one is returned.
 */

/** The visitor's key to the conversation: 24 random bytes in base64url. Whoever has it is the visitor. */
export const chatKey = z.string().regex(/^[\w-]{32}$/)
const seq = z.int().min(0).max(2_147_483_647)
const messageText = text(chatMessageMax * 2)
  .transform((value) => tidyText(value).trim())
  .refine((value) => value.length <= chatMessageMax && !isBlank(value), '1 to 4000 characters')
/** A text that may be empty, with composed accents and without control characters. */
const tidyOptional = (max: number) => z.string().overwrite(tidyText).pipe(text(max)).default('')
/** The name of a time zone; empty where it is none. */
function knownTimeZone(name: string) {
  try {
    return name && new Intl.DateTimeFormat('en-CA', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return ''
  }
}

const clientMessageId = z.uuid().optional()

const errorCode = z.enum([
  'invalid',
  'unknown_chat',
  'closed',
  'no_users',
  'limited',
  'forbidden',
  'not_connected',
  'taken',
  'answered',
  'blocked',
  'expired',
  'broken',
])
export type ChatErrorCode = z.infer<typeof errorCode>
const refusal = z.object({
  code: errorCode,
  message: z.string(),
  /** The colleague because of whom a technician is refused. */
  user_name: z.string().optional(),
  /** After a limit: seconds to wait. */
  retry_after: z.number().optional(),
  /** Of an invalid payload: the names of its refused fields. */
  fields: z.array(z.string()).optional(),
})
export type ChatRefused = z.infer<typeof refusal>
export type ChatFailure = { ok: false; error: ChatRefused }
/** The acknowledgement of an event. */
export type ChatAnswer<T> = ({ ok: true } & T) | ChatFailure

const attachedFile = z.object({ id_file: z.int(), name: z.string(), type: z.string(), size: z.int() })
export type AttachedFile = z.infer<typeof attachedFile>

const sharedMessage = z.object({
  id_message: z.int(),
  seq: z.int(),
  message: z.string(),
  bz_staff: z.boolean(),
  tech_id_user: z.int().nullable(),
  user_name: z.string(),
  image_url: z.string().nullable(),
  color: z.string().nullable(),
  sent_at: isoDateTime,
  /** Distinguishes the sender's own message from a new one. */
  client_message_id: z.string().nullable(),
  /** With a file the text is the file's name. */
  file: attachedFile.optional(),
})
export const chatMessage = sharedMessage.extend({ id_chat: chatKey })
export type ChatMessage = z.infer<typeof chatMessage>
/** A note (`internal`) never reaches the visitor; it repeats the `seq` of the message before it. */
export const staffMessage = sharedMessage.extend({ id, internal: z.boolean() })
export type StaffMessage = z.infer<typeof staffMessage>

export const autoReply = z.object({
  chat_auto_reply: z.boolean(),
  chat_auto_reply_message: z.string(),
  chat_auto_reply_message_en: z.string(),
})
export type AutoReply = z.infer<typeof autoReply>

const connected = z.object({
  id_chat: chatKey,
  user_count: z.int(),
  auto_reply: autoReply,
  can_attach: z.boolean(),
  /** False where the same start began it before; an instance of the former version does not say. */
  is_new: z.boolean().optional(),
})
export type ChatConnected = z.infer<typeof connected>

const joined = z.object({
  id_chat: chatKey,
  /** Technicians who are connected or on call, available or not. */
  user_count: z.int(),
  /** The newest 50 of those that were requested, in their order. */
  messages: z.array(chatMessage),
  has_older: z.boolean(),
  closed: z.boolean(),
  /** The key of the conversation that continues this one. */
  continued_in: chatKey.optional(),
  /** Of a closed conversation: whether its transcript would be mailed. */
  transcript: z.boolean().optional(),
  staff_read_seq: seq,
  can_attach: z.boolean(),
})
export type ChatJoined = z.infer<typeof joined>

const closed = z.object({ id_chat: chatKey, continued_in: chatKey.optional(), transcript: z.boolean().optional() })

const queuePlace = z.object({
  /** 1 is next; 0 once a technician has taken the chat. */
  position: z.int(),
  /** How long others waited lately, in minutes; null with too few cases. */
  expected_minutes: z.int().nullable(),
  /** The supervisor's text about the wait; may be empty. */
  expected_wait: z.string(),
  expected_wait_en: z.string(),
  /** Who answers: name, photo and title of the team record. */
  user_name: z.string().nullable(),
  image_url: z.string().nullable(),
  title: z.string(),
  title_en: z.string(),
  /** In how many milliseconds a message can be left instead; null before the first message and after an answer. */
  no_answer_in: z.number().nullable(),
})
export type QueuePlace = z.infer<typeof queuePlace>

/** A page of the site that the visitor read before the conversation. */
const readPage = z.object({ title: z.string(), url: z.string() })
export type ReadPage = z.infer<typeof readPage>

/** A system update that visitors may know of. */
const updateNotice = z.object({ next_update: z.string(), ends_at: z.string(), message: z.string(), message_en: z.string() })
export type UpdateNotice = z.infer<typeof updateNotice>

/**
 * Why a technician lost a chat. `unanswered`: its visitor waited too long for an answer. `left`: the technician was
 * disconnected or unavailable for too long with a message unanswered.
 */
const releaseReason = z.enum(['unanswered', 'left', 'taken_over', 'transferred'])
export type ReleaseReason = z.infer<typeof releaseReason>

const person = z.object({ id_user: id, user_name: z.string() })
const offer = z.object({ from: person, to: person, note: z.string(), until: isoDateTime })
export type ChatOffer = z.infer<typeof offer>

/** A chat as staff see it: by its number, never by the visitor's key. */
const staffChat = z.object({
  id,
  client_name: z.string(),
  client_email: z.string(),
  client_business: z.string(),
  language: z.enum(languages),
  page: z.string(),
  source: visitSource.nullable(),
  time_zone: z.string(),
  /** Articles and notices that the visitor opened to help themselves. */
  read: z.array(readPage),
  /** `away`: nobody has taken it, and its visitor left the queue. */
  status: z.enum(['waiting', 'claimed', 'away', 'closed']),
  /** `gone`: no page of the visitor has the conversation open, since `gone_at`. */
  visitor: z.enum(['here', 'gone']),
  gone_at: isoDateTime.nullable(),
  id_user: id.nullable(),
  user_name: z.string().nullable(),
  last_seq: seq,
  unread: z.int(),
  last_message: z.string(),
  visitor_online: z.boolean(),
  visitor_read_seq: seq,
  created_at: isoDateTime,
  updated_at: isoDateTime,
  claimed_at: isoDateTime.nullable(),
  /** When it came into the queue, the last time. */
  waiting_since: isoDateTime,
  /** Why it came back to the queue, and from whom; null where nobody lost it since it was last taken. */
  released: z.object({ reason: releaseReason, user_name: z.string() }).nullable(),
  /** It is offered to a colleague; until they accept, it stays with whoever has it. */
  offer: offer.nullable(),
  tags: z.array(z.string()),
  /** 1 to 5; null without a rating. */
  rating: z.int().nullable(),
  rating_comment: z.string(),
  /** The full conversation before this one, and the one after it. */
  continues: id.nullable(),
  continued_in: id.nullable(),
  /** In a search: the text around the match. */
  found: z.string().optional(),
})
export type StaffChat = z.infer<typeof staffChat>

/** Somebody who is connected or on call; `can_answer` is false with the right to read only. */
const staffPresence = z.object({
  id_user: id,
  user_name: z.string(),
  /** Those that they serve visitors in; an instance of the former version names none. */
  languages: z.array(z.enum(languages)).optional(),
  available: z.boolean(),
  can_answer: z.boolean(),
  /** Available with no page open: a push reaches them. */
  on_call: z.boolean(),
  /** How many conversations they answer now. */
  chats: z.int(),
})
export type StaffPresence = z.infer<typeof staffPresence>

/** `until` is the closing time that ends one's availability; null where nothing does. */
const ownAvailability = z.object({ available: z.boolean(), until: isoDateTime.nullable() })
export type OwnAvailability = z.infer<typeof ownAvailability>

const nothing = z.object({})
const byKey = z.strictObject({ id_chat: chatKey })
const byId = z.strictObject({ id })
const oneChat = z.object({ chat: staffChat })

/** What a visitor's page sends, and what its acknowledgement holds. */
export const visitorRequests = {
  'chat:connect': {
    input: z.strictObject({
      client_name: requiredLine(200),
      client_email: email,
      client_business: tidyOptional(200),
      language: z.enum(languages).default('fr'),
      page: text(300).default(''),
      /** Of the visitor's device (IANA); a name that is not known here counts as none. */
      time_zone: text(64).default('').transform(knownTimeZone),
      /** Addresses of what was read; those that are no page to search for are left out. */
      read: z.array(text(300)).max(readMax).default([]),
      /** Where the first page of the visitor's tab was opened from. */
      source: visitSource.nullable().optional(),
      /** The visitor's own id of this start, which makes a repeated one harmless. A secret, as the key is. */
      client_id: z.uuidv4().toLowerCase().optional(),
    }),
    answer: connected,
  },
  /** The newest page after `after_seq`, or before `before_seq`. */
  'chat:client-join': {
    input: byKey.extend({ after_seq: seq.default(0), before_seq: seq.optional() }),
    answer: joined,
  },
  'chat:send-message': {
    input: byKey.extend({ message: messageText, client_message_id: clientMessageId }),
    answer: z.object({ message: chatMessage }),
  },
  'chat:typing': { input: byKey, answer: nothing },
  'chat:read': { input: byKey.extend({ seq }), answer: nothing },
  'chat:close': { input: byKey, answer: z.object({ transcript: z.boolean() }) },
} as const

const nobody = z.object({ id_chat: z.null(), user_count: z.literal(0), auto_reply: autoReply })
const unknownChat = z.object({ id_chat: z.string(), user_count: z.int(), messages: z.tuple([]) })

/** What a visitor's page receives. The first two and `chat:error` answer a client that passes no acknowledgement. */
export const visitorEvents = {
  'chat:connected': z.union([connected, nobody]),
  'chat:client-joined': z.union([joined, unknownChat]),
  'chat:error': refusal.pick({ code: true, message: true }),
  'chat:new-message': chatMessage,
  'chat:closed': closed,
  /** A technician reopened a closed conversation. */
  'chat:reopened': z.object({ id_chat: chatKey }),
  'chat:typing': z.object({ user_name: z.string() }),
  'chat:read': z.object({ seq }),
  'chat:queue': queuePlace,
  'update:alert': updateNotice.nullable(),
} as const

/** What a console sends, and what its acknowledgement holds. */
export const staffRequests = {
  'staff:availability': { input: z.strictObject({ available: z.boolean() }), answer: ownAvailability },
  'staff:chats': {
    input: z.strictObject({
      scope: z.enum(['open', 'all']).default('open'),
      search: text(200).default(''),
      before: isoDateTime.optional(),
    }),
    answer: ownAvailability.extend({ chats: z.array(staffChat), more: z.boolean(), users: z.array(staffPresence) }),
  },
  /** `after_seq` reads forward from there, `before_id` backward; without either the newest come. */
  'staff:open': {
    input: byId.extend({ after_seq: seq.optional(), before_id: id.optional() }),
    answer: z.object({ chat: staffChat, messages: z.array(staffMessage), more: z.boolean(), has_older: z.boolean() }),
  },
  'staff:claim': { input: byId, answer: oneChat },
  /** Claims for oneself a chat that a colleague has; for administrators of the chat. */
  'staff:take-over': { input: byId, answer: oneChat },
  /** Offers it to a colleague for 60 seconds. */
  'staff:transfer': {
    input: byId.extend({ id_user: id, note: tidyOptional(chatMessageMax) }),
    answer: oneChat.extend({ offered: z.literal(true) }),
  },
  'staff:accept': { input: byId, answer: oneChat },
  'staff:decline': { input: byId, answer: oneChat },
  /** A closed chat goes on, with whoever reopens it. */
  'staff:reopen': { input: byId, answer: oneChat },
  /** Replaces all tags. */
  'staff:tags': { input: byId.extend({ tags: z.array(requiredLine(tagMax)).max(tagsPerChat) }), answer: oneChat },
  /** `after_seq` is the last message the writer saw: a colleague's answer after it refuses this one (`answered`). */
  'staff:send-message': {
    input: byId.extend({ message: messageText, client_message_id: clientMessageId, after_seq: seq.optional() }),
    answer: z.object({ message: staffMessage }),
  },
  'staff:note': {
    input: byId.extend({ message: messageText, client_message_id: clientMessageId }),
    answer: z.object({ message: staffMessage }),
  },
  'staff:typing': { input: byId, answer: nothing },
  'staff:read': { input: byId.extend({ seq }), answer: nothing },
  'staff:close': { input: byId, answer: oneChat },
} as const

/** What a console receives. */
export const staffEvents = {
  'staff:chat': staffChat,
  'staff:new-message': staffMessage,
  'staff:typing': byId,
  /** A colleague is writing to the visitor. */
  'staff:answering': z.object({ id, user_name: z.string() }),
  /** Nobody has taken a chat for a while; once each time that it comes into the queue. */
  'staff:unanswered': byId,
  /** To the technician who lost it; `user_name` names who has it now. */
  'staff:released': byId.extend({ reason: releaseReason, user_name: z.string().optional() }),
  /** To the colleague whom a chat is offered. */
  'staff:offer': byId.extend({ from: person, note: z.string(), until: isoDateTime }),
  /** To both, where the offer is over. */
  'staff:offer-ended': byId.extend({
    from: person,
    to: person,
    result: z.enum(['accepted', 'declined', 'expired', 'withdrawn']),
  }),
  /** The conversation was erased with its person: nothing of it stays on the screen. */
  'staff:erased': byId,
  'staff:presence': z.array(staffPresence),
  /** Closing time is near; `staff:availability` true stays available. */
  'staff:closing': z.object({ closes_at: isoDateTime }),
  'staff:availability': ownAvailability,
} as const

type Requests = Record<string, { input: z.ZodType; answer: z.ZodType }>
type Protocol<R extends Requests, E extends Record<string, z.ZodType>> = {
  inputs: { [Name in keyof R]: z.input<R[Name]['input']> }
  answers: { [Name in keyof R]: z.infer<R[Name]['answer']> }
  events: { [Name in keyof E]: z.infer<E[Name]> }
}
/** One namespace as a client sees it. */
export type VisitorProtocol = Protocol<typeof visitorRequests, typeof visitorEvents>
export type StaffProtocol = Protocol<typeof staffRequests, typeof staffEvents>
export type AnyProtocol = Record<'inputs' | 'answers' | 'events', object>

type Sent<P extends AnyProtocol> = {
  [Name in keyof P['inputs'] & keyof P['answers']]: (
    input: P['inputs'][Name],
    ack: (answer: ChatAnswer<P['answers'][Name]>) => void,
  ) => void
}
type Received<P extends AnyProtocol> = { [Name in keyof P['events']]: (data: P['events'][Name]) => void }

/** The same as Socket.IO wants it, for the sockets of the server and of tests. */
export type VisitorRequests = Sent<VisitorProtocol>
export type VisitorEvents = Received<VisitorProtocol>
export type StaffRequests = Sent<StaffProtocol>
export type StaffEvents = Received<StaffProtocol>
