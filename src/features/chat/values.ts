import type { OpenDay } from '#src/lib/business-hours.ts'
import type { Pair } from '#src/lib/english-older.ts'
import type { Language } from '#src/lib/language.ts'

/** A message is plain text of 1 to 4000 characters after trimming (contract.md 5). */
export const chatMessageMax = 4_000
/** A join answers at most this many messages; older ones come page by page. */
export const messagesPerPage = 50
/** Then a conversation goes on in a new one that is linked to it. */
export const messagesPerConversation = 2_000
/** Largest file a visitor can attach, and how many to one conversation. */
export const attachedFileMax = 10 * 1024 * 1024
export const attachedFilesPerChat = 20
/** What the file picker offers; the server goes by the content. */
export const attachedFileTypes = 'image/jpeg,image/png,image/webp,image/avif,application/pdf,text/plain,.log'
/** Delays of spec.md 9, in milliseconds. */
export const transcriptReloadDelay = 3_300
export const inputClearDelay = 123
export const clockRefresh = 1_000

/** For how long a visitor can be kept away; beside these, until it is lifted. */
export const blockHours = [1, 24, 168, 720] as const
/** French and English of a canned reply. */
export const cannedPairs = [['reply', 'reply_en']] as const satisfies readonly Pair[]

export type AttachedFile = { id_file: number; name: string; type: string; size: number }

export type ChatMessage = {
  id_message: number
  seq: number
  id_chat: string
  message: string
  bz_staff: boolean
  tech_id_user: number | null
  user_name: string
  image_url: string | null
  color: string | null
  sent_at: string
  /** The sender's own name for the message; tells an echo from a new one. */
  client_message_id: string | null
  /** Where a file came with it; the text is then its name. */
  file?: AttachedFile
}

export type AutoReply = { chat_auto_reply: boolean; chat_auto_reply_message: string; chat_auto_reply_message_en: string }

/** `GET /public_api/chat/available-users`. */
export type ChatAvailability = {
  user_count: number
  open: boolean
  /** `busy`: the hours run and nobody is available. */
  state: 'open' | 'busy' | 'closed'
  /** The urgent banner is on. */
  emergency: boolean
  /** Null while the hours run. */
  next_opening: string | null
  auto_reply: AutoReply
  /** What the supervisor says about the wait; empty where nothing is said. */
  expected_wait: string
  expected_wait_en: string
  no_answer_minutes: number
  attachments_enabled: boolean
  retention_days: number
  hours: {
    days: number[]
    /** Of the first day of the week; `week` tells each. */
    opens: string
    closes: string
    week: OpenDay[]
    time_zone: string
    zone_name: string
    zone_name_en: string
    /** Minutes by which it is ahead of UTC now. */
    utc_offset: number
    /** When the company's hours begin next; null while they run. */
    next_opening: string | null
    /** When today's hours end; null outside them. */
    closes_at: string | null
  }
}

/** `user_name`: the colleague a technician is refused for; `retry_after`: seconds to wait after a limit. */
export type ChatRefused = { code: ChatErrorCode; message: string; user_name?: string; retry_after?: number }
export type ChatFailure = { ok: false; error: ChatRefused }
export type ChatErrorCode =
  | 'invalid'
  | 'unknown_chat'
  | 'closed'
  | 'no_users'
  | 'limited'
  | 'forbidden'
  | 'not_connected'
  | 'taken'
  | 'answered'
  | 'blocked'
  | 'broken'
export type ChatAnswer<T> = ({ ok: true } & T) | ChatFailure

type Ack<T> = (answer: ChatAnswer<T>) => void

/** What a visitor's page sends (spec.md 7); each takes an acknowledgement (contract.md 5). */
export type VisitorEvents = {
  'chat:connect': (
    input: { client_name: string; client_email: string; client_business: string; language?: Language; page?: string },
    ack: Ack<ChatConnected>,
  ) => void
  'chat:client-join': (input: { id_chat: string; after_seq?: number; before_seq?: number }, ack: Ack<ChatJoined>) => void
  'chat:send-message': (
    input: { id_chat: string; message: string; client_message_id?: string },
    ack: Ack<{ message: ChatMessage }>,
  ) => void
  'chat:typing': (input: { id_chat: string }, ack?: Ack<object>) => void
  'chat:read': (input: { id_chat: string; seq: number }, ack?: Ack<object>) => void
  'chat:close': (input: { id_chat: string }, ack: Ack<{ transcript: boolean }>) => void
}

export type ChatConnected = { id_chat: string; user_count: number; auto_reply: AutoReply; can_attach: boolean }
export type ChatJoined = {
  id_chat: string
  /** Technicians who are connected, available or not. */
  user_count: number
  /** The newest of those that were asked for. */
  messages: ChatMessage[]
  has_older: boolean
  closed: boolean
  /** Where the conversation goes on after its last message. */
  continued_in?: string
  /** Of a closed conversation: whether its transcript would be mailed. */
  transcript?: boolean
  staff_read_seq: number
  can_attach: boolean
}

export type ChatClosed = { id_chat: string; continued_in?: string; transcript?: boolean }

/** Where a visitor stands until a technician answers. */
export type QueuePlace = {
  /** 1 is next; 0 once a technician has taken the chat. */
  position: number
  /** How long others waited lately, in minutes; null where too few did to tell. */
  expected_minutes: number | null
  /** What the supervisor says about the wait; empty where nothing is said. */
  expected_wait: string
  expected_wait_en: string
  user_name: string | null
  /** In how many milliseconds a message can be left instead; null before the first message and after an answer. */
  no_answer_in: number | null
}

/** A system update that visitors are told of. */
export type UpdateNotice = { next_update: string; ends_at: string; message: string; message_en: string }

/** What a visitor's page receives. */
export type VisitorPushes = {
  'chat:connected': (data: ChatConnected | { id_chat: null; user_count: 0; auto_reply: AutoReply }) => void
  'chat:client-joined': (data: ChatJoined | { id_chat: string; user_count: number; messages: [] }) => void
  'chat:new-message': (message: ChatMessage) => void
  'chat:closed': (data: ChatClosed) => void
  /** For a client that gave no callback: what it asked for was refused. */
  'chat:error': (data: { code: ChatErrorCode; message: string }) => void
  'chat:typing': (data: { user_name: string }) => void
  'chat:read': (data: { seq: number }) => void
  'chat:queue': (place: QueuePlace) => void
  'update:alert': (notice: UpdateNotice | null) => void
}

export type ChatStatus = 'waiting' | 'claimed' | 'closed'

/** A chat as staff see it: by its number, never by the visitor's key (contract.md 5). */
export type StaffChat = {
  id: number
  client_name: string
  client_email: string
  client_business: string
  language: Language
  page: string
  status: ChatStatus
  id_user: number | null
  user_name: string | null
  last_seq: number
  unread: number
  last_message: string
  visitor_online: boolean
  visitor_read_seq: number
  created_at: string
  updated_at: string
  claimed_at: string | null
  /** What the visitor thought of it: 1 to 5, null where they did not say. */
  rating: number | null
  rating_comment: string
  /** The full conversation that this one goes on from, and the one that goes on from this. */
  continues: number | null
  continued_in: number | null
  /** Where it was found by words that were said: the message around them. */
  found?: string
}

export type StaffMessage = Omit<ChatMessage, 'id_chat'> & { id: number; internal: boolean }
/** Somebody in the administration; `can_answer` is false for who may only read. */
export type StaffPresence = {
  id_user: number
  user_name: string
  available: boolean
  can_answer: boolean
  /** How many conversations they answer now. */
  chats: number
}
/** Whether one answers chats now; `until` is the closing time that ends it, null where nothing does. */
export type OwnAvailability = { available: boolean; until: string | null }

type StaffInput = { id: number }
export type StaffEvents = {
  'staff:availability': (input: { available: boolean }, ack: Ack<OwnAvailability>) => void
  'staff:chats': (
    input: { scope?: 'open' | 'all'; search?: string; before?: string },
    ack: Ack<OwnAvailability & { chats: StaffChat[]; more: boolean; users: StaffPresence[] }>,
  ) => void
  'staff:open': (
    /** `after_seq` reads forward from there, `before_id` backward; without either the newest come. */
    input: StaffInput & { after_seq?: number; before_id?: number },
    ack: Ack<{ chat: StaffChat; messages: StaffMessage[]; more: boolean; has_older: boolean }>,
  ) => void
  'staff:claim': (input: StaffInput, ack: Ack<{ chat: StaffChat }>) => void
  'staff:transfer': (input: StaffInput & { id_user: number }, ack: Ack<{ chat: StaffChat }>) => void
  'staff:send-message': (
    input: StaffInput & { message: string; client_message_id?: string; after_seq?: number },
    ack: Ack<{ message: StaffMessage }>,
  ) => void
  'staff:note': (input: StaffInput & { message: string; client_message_id?: string }, ack: Ack<{ message: StaffMessage }>) => void
  'staff:typing': (input: StaffInput, ack?: Ack<object>) => void
  'staff:read': (input: StaffInput & { seq: number }, ack?: Ack<object>) => void
  'staff:close': (input: StaffInput, ack: Ack<{ chat: StaffChat }>) => void
}

export type StaffPushes = {
  'staff:chat': (chat: StaffChat) => void
  'staff:new-message': (message: StaffMessage) => void
  'staff:typing': (data: { id: number }) => void
  /** A colleague is writing to the visitor. */
  'staff:answering': (data: { id: number; user_name: string }) => void
  /** Nobody has taken a chat for a while (once a chat). */
  'staff:unanswered': (data: { id: number }) => void
  'staff:presence': (users: StaffPresence[]) => void
  /** The counter is about to close; answering `staff:availability` true stays open (contract.md 5). */
  'staff:closing': (data: { closes_at: string }) => void
  'staff:availability': (data: OwnAvailability) => void
}
