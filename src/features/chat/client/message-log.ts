/** What the log needs of a message, whichever side reads it. */
export type LoggedMessage = { id_message: number; seq: number; client_message_id: string | null }

/** The messages of one conversation that the server has stored, in its order. */
export type MessageLog<M extends LoggedMessage> = {
  /** By `seq`; a note among staff repeats the `seq` of the message before it and follows it. */
  messages: readonly M[]
  /** `id_message` of the first one that did not come by `mergeOlder`; 0 where nothing older was requested. */
  liveFrom: number
  hasOlder: boolean
  /** The newest page is there: what is missing from now on is a gap. */
  isLoaded: boolean
}

export const emptyLog = { messages: [], liveFrom: 0, hasOlder: false, isLoaded: false } as const satisfies MessageLog<never>

/** A conversation that begins now: its first message has the number 1. */
export const newLog = { ...emptyLog, isLoaded: true } as const satisfies MessageLog<never>

/** A message may come as an acknowledgement, an event and a page, in any order and repeatedly: it is there once. */
export function mergeMessages<M extends LoggedMessage>(log: MessageLog<M>, incoming: readonly M[]): MessageLog<M> {
  const byId = new Map(log.messages.map((one) => [one.id_message, one]))
  for (const one of incoming) if (isMessage(one)) byId.set(one.id_message, one)
  return { ...log, messages: [...byId.values()].toSorted(byOrder) }
}

/**
 * The messages after `lastWholeSeq`, or the newest page. Where more was written than a page holds, what is before the
 * gap goes: it comes back page by page when the reader scrolls up.
 */
export function mergeNewest<M extends LoggedMessage>(log: MessageLog<M>, page: readonly M[], hasOlder: boolean): MessageLog<M> {
  const [first] = page.filter(isMessage).toSorted(byOrder)
  if (!first) return log.isLoaded ? log : { ...log, hasOlder, isLoaded: true }
  if (log.isLoaded && first.seq <= lastWholeSeq(log) + 1) return mergeMessages(log, page)
  const pushed = log.messages.filter((one) => byOrder(one, first) > 0)
  return mergeMessages({ messages: pushed, liveFrom: first.id_message, hasOlder, isLoaded: true }, page)
}

/** The page before the first message. A page without older messages ends the search, whatever `hasOlder` is. */
export function mergeOlder<M extends LoggedMessage>(log: MessageLog<M>, page: readonly M[], hasOlder: boolean): MessageLog<M> {
  const [first] = log.messages
  const older = first ? page.filter((one) => isMessage(one) && byOrder(one, first) < 0) : []
  const liveFrom = log.liveFrom || (first?.id_message ?? 0)
  return { ...mergeMessages(log, older), liveFrom, hasOlder: hasOlder && older.length > 0 }
}

/** The number up to which nothing is missing: a catch-up starts after it, so that a lost event is filled in too. */
export function lastWholeSeq({ messages, liveFrom, hasOlder }: MessageLog<LoggedMessage>) {
  const isFromStart = liveFrom === 0 && !hasOlder
  let last = isFromStart ? 0 : (messages[0]?.seq ?? 1) - 1
  for (const { seq } of messages) {
    if (seq > last + 1) return last
    last = Math.max(last, seq)
  }
  return last
}

/** How many at the head of the log came by `mergeOlder`. */
export function countOlder({ messages, liveFrom }: MessageLog<LoggedMessage>) {
  return Math.max(
    0,
    messages.findIndex((one) => one.id_message === liveFrom),
  )
}

function byOrder(one: LoggedMessage, other: LoggedMessage) {
  return one.seq - other.seq || one.id_message - other.id_message
}

/** Against a server that sends nonsense: it must not take the page down. */
export function isMessage(one: LoggedMessage | null | undefined): one is LoggedMessage {
  return Number.isInteger(one?.id_message) && Number.isInteger(one?.seq)
}
