import { makeClientId } from '#src/ui/api.ts'
import type { AnyProtocol, ChatErrorCode } from '../protocol.ts'
import type { Connection, Io, Link } from './connection.ts'
import { ChatError, createConnection } from './connection.ts'
import type { LoggedMessage, MessageLog } from './message-log.ts'
import { emptyLog, isMessage, lastWholeSeq, mergeMessages, mergeNewest, mergeOlder, newLog } from './message-log.ts'
import type { SharingTabs, Unsent, UnsentStorage } from './outbox.ts'
import { createOutbox } from './outbox.ts'

/** One conversation as a page shows it: what the server has, then what it does not have yet. */
export type Conversation<M extends LoggedMessage> = MessageLog<M> & {
  unsent: readonly Unsent[]
  /** The request for messages before those that are shown. */
  older: 'idle' | 'loading' | 'failed'
}

/** What differs between the two namespaces: the names of the events, and what names a conversation. */
export type Side<P extends AnyProtocol, Id, M, Opened, Closed> = {
  messageEvent: keyof P['events'] & string
  /** Refusals of `open` after which it is not tried again. */
  finalRefusals: readonly string[]
  idOf: (message: M) => Id
  /** Only where several tabs share the unsent texts. */
  parseId?: (text: string) => Id | null
  open: (connection: Connection<P>, id: Id, range: { after?: number; before?: M }) => Promise<Page<M> & { opened: Opened }>
  send: (connection: Connection<P>, id: Id, unsent: Unsent) => Promise<M>
  markRead: (connection: Connection<P>, id: Id, seq: number) => Promise<unknown>
  typing: (connection: Connection<P>, id: Id) => Promise<unknown>
  close: (connection: Connection<P>, id: Id) => Promise<Closed>
}
type Page<M> = { messages: readonly M[]; hasOlder: boolean; more: boolean }

type Hooks<Id, Opened> = {
  onLink: (link: Link, refusal: ChatErrorCode | null) => void
  onUnreachable?: () => void
  /** A conversation was read, the first time or to catch up. Returns whether unsent texts may leave now. */
  onOpened: (id: Id, opened: Opened) => boolean
  /** It was not. The client tries again, unless the server does not know the conversation. */
  onOpenFailed: (id: Id, error: ChatError) => void
  onSent?: (id: Id) => void
  /** The text stays in the outbox as `failed`; `takeBack` removes it from there. */
  onSendRefused: (id: Id, error: ChatError) => void
  /** The conversation was full: the server stored the message in the one that continues it. */
  onContinued?: (from: Id, to: Id) => void
  /** This device does not store unsent texts: they live as long as the page. */
  onUnstored?: () => void
}
export type ClientOptions<Id, Opened> = {
  loadIo: () => Io | Promise<Io>
  /** Of the chat's own host; empty where it is this one. */
  host?: () => string
  /** Whether long polling sends the session, which WebSockets always do. */
  withCredentials?: boolean
  hooks: Hooks<Id, Opened>
  storage?: UnsentStorage | undefined
  tabs?: SharingTabs | undefined
}

const retryDelay = 4_000
/** `broken`: after an error of the server. */
const retryDelays: Partial<Record<ChatError['code'], number>> = { silent: retryDelay, broken: 20_000 }
const typingInterval = 2_000
/** One person's conversations over one namespace. */
export function createChatClient<P extends AnyProtocol, Id extends string | number, M extends LoggedMessage, Opened, Closed>(
  side: Side<P, Id, M, Opened, Closed>,
  namespace: string,
  owner: string,
  { loadIo, host = () => '', withCredentials = false, hooks, storage, tabs }: ClientOptions<Id, Opened>,
) {
  type State = Conversation<M>
  const fresh: State = { ...emptyLog, unsent: [], older: 'idle' }
  const conversations = new Map<Id, State>()
  const opened = new Set<Id>()
  const reading = new Map<Id, 'once' | 'again'>()
  const sending = new Set<Id>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const readSeqs = new Map<Id, number>()
  const listeners = new Set<() => void>()
  const outbox = createOutbox(owner, {
    ...(storage && { storage }),
    ...(tabs && { tabs }),
    ...(hooks.onUnstored && { onUnstored: hooks.onUnstored }),
  })
  // Also of conversations that only the other tab opened: it may be closed before it could send.
  tabs?.subscribe((name) => {
    const id = name.startsWith(owner) && side.parseId?.(name.slice(owner.length))
    if (id) void syncUnsent(id)
  })
  let lastTyping = { id: null as Id | null, at: 0 }

  const connection = createConnection<P>({
    loadIo,
    address: () => host() + namespace,
    withCredentials,
    onUnreachable: hooks.onUnreachable,
    onLink(link, refusal) {
      // An event that was on its way may be lost.
      if (link !== 'up') readSeqs.clear()
      hooks.onLink(link, refusal)
      if (link !== 'up') return
      for (const id of opened) void readNewest(id)
      for (const id of conversations.keys()) if (!opened.has(id)) void flush(id)
    },
  })
  connection.on(side.messageEvent, (message) => receive(message as M))

  function update(id: Id, change: Partial<State> = {}) {
    const next = { ...(conversations.get(id) ?? fresh), ...change, unsent: outbox.read(id) }
    conversations.set(id, next)
    for (const listener of listeners) listener()
    return next
  }

  function receive(message: M) {
    if (!isMessage(message)) return
    const id = side.idOf(message)
    const known = conversations.get(id)
    if (!known) return
    outbox.drop(id, [message])
    const log = update(id, mergeMessages(known, [message]))
    const hasGap = lastWholeSeq(log) < message.seq
    if (hasGap && known.isLoaded && opened.has(id) && connection.isUp()) void readNewest(id)
  }

  /** Reads what came after the last message without a gap, then sends what is unsent. */
  async function readNewest(id: Id) {
    if (reading.has(id)) return void reading.set(id, 'again')
    reading.set(id, 'once')
    cancel(`read ${id}`)
    try {
      const answer = await readPages(id)
      if (!answer || !opened.has(id)) return
      if (hooks.onOpened(id, answer)) void flush(id)
    } catch (error) {
      failToOpen(id, toChatError(error))
    } finally {
      const isStale = reading.get(id) === 'again'
      reading.delete(id)
      if (isStale && opened.has(id) && connection.isUp()) void readNewest(id)
    }
  }

  async function readPages(id: Id) {
    for (;;) {
      const known = conversations.get(id) ?? fresh
      const after = lastWholeSeq(known)
      const page = await side.open(connection, id, known.isLoaded ? { after } : {})
      const current = conversations.get(id)
      if (!current || !opened.has(id)) return null
      const log = mergeNewest(current, page.messages, page.hasOlder)
      outbox.drop(id, page.messages)
      update(id, log)
      // A server that never comes to an end brings nothing new.
      if (!page.more || lastWholeSeq(log) <= after) return page.opened
    }
  }

  function failToOpen(id: Id, error: ChatError) {
    if (!opened.has(id)) return
    if (side.finalRefusals.includes(error.code)) opened.delete(id)
    else if (connection.isUp()) later(`read ${id}`, Math.max(retryDelay, error.wait * 1_000), () => void readNewest(id))
    hooks.onOpenFailed(id, error)
  }

  /** Shows what another tab wrote or sent; what is new leaves from whichever tab can send. */
  async function syncUnsent(id: Id) {
    const keyOf = (one: Unsent) => `${one.client_message_id} ${one.confirmed}`
    const known = new Set(outbox.read(id).map(keyOf))
    await outbox.sync(id)
    update(id)
    // After a mere change of state two tabs would make each other send a refused text without end.
    if (connection.isUp() && outbox.read(id).some((one) => !known.has(keyOf(one)))) void flush(id)
  }

  /** Sends what is unsent; of several tabs of one person, one at a time. */
  async function flush(id: Id) {
    if (sending.has(id)) return
    sending.add(id)
    cancel(`send ${id}`)
    let tried: ReadonlySet<string> | null = null
    try {
      if (!tabs) return void (await sendAll(id))
      await tabs.exclusively(outbox.keyOf(id), async () => {
        await outbox.sync(id)
        tried = await sendAll(id)
      })
    } finally {
      sending.delete(id)
      // Before the lock is released a text may be written, or the connection return.
      const unsent = outbox.read(id)
      const isNew = unsent.some((one) => tried?.has(one.client_message_id) === false)
      if (connection.isUp() && (isNew || unsent[0]?.state === 'waiting')) void flush(id)
    }
  }

  /** One text at a time and in the order of writing: the server numbers what it gets. Returns what it tried if that was all. */
  async function sendAll(id: Id) {
    const tried = new Set<string>()
    for (;;) {
      const next = outbox.read(id).find((one) => !tried.has(one.client_message_id))
      if (!next) return tried
      tried.add(next.client_message_id)
      const mustAsk = outbox.mustAsk(next)
      if (mustAsk) setState(id, next, 'held')
      else if (await deliver(id, next)) continue
      // What was written after a text that could not leave must not overtake it.
      for (const one of outbox.read(id)) if (!tried.has(one.client_message_id)) setState(id, one, 'waiting')
      return null
    }
  }

  /** Returns whether the next text may go. */
  async function deliver(id: Id, unsent: Unsent) {
    if (!connection.isUp()) {
      setState(id, unsent, 'waiting')
      return false
    }
    setState(id, unsent, 'sending')
    try {
      const message = await side.send(connection, id, unsent)
      if (!isMessage(message)) throw new ChatError('broken')
      receive(message)
      outbox.drop(id, [unsent])
      if (!conversations.has(id)) return false
      update(id)
      hooks.onSent?.(id)
      if (side.idOf(message) !== id) hooks.onContinued?.(id, side.idOf(message))
      return true
    } catch (error) {
      return failToSend(id, unsent, toChatError(error))
    }
  }

  function failToSend(id: Id, unsent: Unsent, error: ChatError) {
    if (!conversations.has(id)) return false
    setState(id, unsent, 'failed')
    const { code, wait } = error
    const delay = code === 'limited' ? Math.max(1, wait) * 1_000 : retryDelays[code]
    if (delay) later(`send ${id}`, delay, () => void flush(id))
    if (code !== 'silent') hooks.onSendRefused(id, error)
    // An invalid text never becomes valid: the others need not wait for it.
    return code === 'invalid' || !outbox.read(id).some((one) => one.client_message_id === unsent.client_message_id)
  }

  function setState(id: Id, { client_message_id }: Unsent, state: Unsent['state']) {
    outbox.setState(id, client_message_id, state)
    update(id)
  }

  function later(name: string, delay: number, work: () => void) {
    cancel(name)
    timers.set(name, setTimeout(work, delay))
  }

  function cancel(name: string) {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }

  async function restore(id: Id) {
    await outbox.restore(id)
    update(id)
    if (connection.isUp() && !opened.has(id)) void flush(id)
  }

  return {
    /** Connects, and reconnects until `stop`: opened conversations catch up, and what is unsent leaves. */
    start: connection.start,
    stop() {
      connection.stop()
      for (const name of timers.keys()) cancel(name)
    },

    /** Reads a conversation and keeps it up to date; `isNew` where it was begun this moment, so that it is empty. */
    async open(id: Id, { isNew = false } = {}) {
      const isKnown = conversations.has(id)
      opened.add(id)
      if (!isKnown) update(id, isNew ? newLog : emptyLog)
      if (!isKnown && !isNew) await restore(id)
      if (connection.isUp() && !isNew) await readNewest(id)
    },
    /** Does not catch up with it any more; what is there stays. */
    leave: (id: Id) => void opened.delete(id),
    /** Removes it with its unsent texts, which it returns. */
    forget(id: Id) {
      const { unsent } = conversations.get(id) ?? fresh
      opened.delete(id)
      for (const name of [`read ${id}`, `send ${id}`]) cancel(name)
      outbox.drop(id, unsent)
      conversations.delete(id)
      for (const listener of listeners) listener()
      return unsent.map((one) => one.message)
    },
    /** The unsent texts go on in another conversation. */
    continueIn(from: Id & string, to: Id & string) {
      outbox.move(from, to)
      opened.delete(from)
      conversations.delete(from)
      update(to)
    },
    /** Brings back the unsent texts of a conversation that is not opened, and sends them. */
    restore,
    /** Conversations in which an earlier page left unsent texts, the latest last. */
    findStored: outbox.findStored,

    /** Stores a text on this device and sends it as soon as it can. */
    send(id: Id, message: string, more: Pick<Unsent, 'internal' | 'after_seq'> = {}) {
      const state = connection.isUp() && !sending.has(id) ? 'sending' : 'waiting'
      const stamp = { client_message_id: makeClientId(), written_at: new Date().toISOString() }
      outbox.add(id, { ...stamp, message, state, ...more })
      update(id)
      void flush(id)
    },
    /** Sends an old text after its writer confirmed it. */
    confirm(id: Id, { client_message_id }: Unsent) {
      outbox.confirm(id, client_message_id)
      update(id)
      void flush(id)
    },
    /** In all conversations. */
    countUnsent: outbox.countUnsent,
    /** Sends at once what failed or waits. */
    retry: (id: Id) => void flush(id),
    /** Removes unsent texts from the outbox and returns them, for their writer to change. */
    takeBack(id: Id, isWanted: (one: Unsent) => boolean = () => true) {
      const taken = outbox.read(id).filter(isWanted)
      outbox.drop(id, taken)
      update(id)
      return taken.map((one) => one.message)
    },

    /** Sends a read receipt. */
    markRead(id: Id, seq: number) {
      if (!connection.isUp() || seq <= (readSeqs.get(id) ?? 0)) return
      readSeqs.set(id, seq)
      side.markRead(connection, id, seq).catch(() => readSeqs.delete(id))
    },
    /** Sends that the user is typing, never the text. */
    typing(id: Id) {
      const at = Date.now()
      if (!connection.isUp() || (lastTyping.id === id && at - lastTyping.at < typingInterval)) return
      lastTyping = { id, at }
      side.typing(connection, id).catch(() => undefined)
    },
    /** Reads the page before the first message that is shown. */
    async loadOlder(id: Id) {
      const known = conversations.get(id)
      const [first] = known?.messages ?? []
      if (!known || !first || !known.hasOlder || known.older === 'loading') return
      update(id, { older: 'loading' })
      try {
        const page = await side.open(connection, id, { before: first })
        const current = conversations.get(id)
        if (current) update(id, { ...mergeOlder(current, page.messages, page.hasOlder), older: 'idle' })
      } catch (error) {
        console.warn(error)
        if (conversations.has(id)) update(id, { older: 'failed' })
      }
    },
    /** Ends a conversation for both sides. */
    close: (id: Id) => side.close(connection, id),

    /** A message that came another way than by the socket. */
    receive,
    /** What a page shows; the same object until it changes. */
    conversation: (id: Id | null): State => (id === null ? undefined : conversations.get(id)) ?? fresh,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isUp: connection.isUp,
    on: connection.on,
    request: connection.request,
  }
}

const toChatError = (error: unknown) => {
  if (error instanceof ChatError) return error
  console.warn(error)
  return new ChatError('broken')
}
