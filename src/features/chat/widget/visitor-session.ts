import { io } from 'socket.io-client'
import type { Language } from '#src/lib/language/language.ts'
import { getJson, makeClientId } from '#src/ui/api.ts'
import { findHost } from '#src/ui/hosts.ts'
import type { ClientOptions } from '../client/chat-client.ts'
import { createVisitorClient } from '../client/visitor-client.ts'
import type { ChatError } from '../client/connection.ts'
import type { ChatAvailability } from '../contract.ts'
import { chatMessageMax } from '../values.ts'
import type { AutoReply, ChatJoined, QueuePlace, UpdateNotice } from '../protocol.ts'
import { chatAddress, sendBeforeUnload } from './chat-host.ts'
import { dropChat, endChat, joinTexts, openTabs, readStored, storeChatId, storeSession, storedChatId } from './visitor-storage.ts'
import type { VisitorTabs } from './visitor-storage.ts'

/**
 * `checking`, then `closed` or `form`; `joining`, then `open`; `ended` asks about the transcript. `broken`: the
 * connection fails and is tried again. `nobody`: no technician is connected.
 */
export type SessionPhase = 'checking' | 'closed' | 'form' | 'joining' | 'open' | 'ended' | 'broken' | 'nobody'

export type SessionState = {
  phase: SessionPhase
  idChat: string | null
  availability: ChatAvailability | null
  autoReply: (AutoReply & { sent_at: string }) | null
  /** `lost`: reconnecting; `offline`: the browser reports no network. */
  link: 'up' | 'lost' | 'offline'
  /** How far the technicians have read. */
  staffReadSeq: number
  /** The technician who types. */
  typingName: string | null
  /** Why the server did not take the form, what stood in it, and which of its fields are refused. */
  refusedLogin: { code: 'invalid' | 'limited' | 'blocked'; input: LoginInput; fields: readonly string[] } | null
  /** Why the server did not take a message, and after how many seconds it is sent again. */
  sendRefusal: { code: 'limited' | 'invalid' | 'broken'; wait: number } | null
  queue: QueuePlace | null
  update: UpdateNotice | null
  /** Nobody answered in time: a message can be left instead. */
  isUnanswered: boolean
  /** This conversation continues one that was full. */
  isContinued: boolean
  /** It is over, and its transcript would be mailed. */
  canMail: boolean
  canAttach: boolean
}

export type LoginInput = {
  client_name: string
  client_email: string
  client_business: string
  language: Language
  page: string
  time_zone?: string
  /** Addresses of what was read before. */
  read?: string[]
  client_id?: string | undefined
}

/** How long the visitor waits before the phone number and the form are shown. */
export const patience = 4_000
const answerTimeout = 10_000
const checkInterval = 5_000
const startInterval = 4_000
const nobodyInterval = 10_000
const typingShown = 4_000

/** What each conversation begins with. */
const fresh = {
  link: 'up',
  staffReadSeq: 0,
  typingName: null,
  sendRefusal: null,
  queue: null,
  update: null,
  isUnanswered: false,
  isContinued: false,
  canMail: false,
} as const satisfies Partial<SessionState>

type SessionOptions = Partial<Pick<ClientOptions<string, ChatJoined>, 'loadIo' | 'storage'>>

/** One visitor's chat, from the check of the availability to the transcript. The panel shows its state. */
export function createVisitorSession({ loadIo = () => io, storage }: SessionOptions = {}) {
  const listeners = new Set<() => void>()
  const timers: Partial<Record<'wayOut' | 'again' | 'typing' | 'unanswered', ReturnType<typeof setTimeout>>> = {}
  let tabs: VisitorTabs | null = null
  /** What the form was filled with, until the conversation began. */
  let login: LoginInput | null = null
  /** The key came from another tab or from the outbox, not from this tab. */
  let isFound = false
  let state: SessionState = {
    ...fresh,
    phase: storedChatId() ? 'joining' : 'checking',
    idChat: storedChatId(),
    availability: null,
    autoReply: readStored().autoReply,
    refusedLogin: null,
    canAttach: false,
  }

  const client = createVisitorClient({
    loadIo,
    storage,
    host: () => findHost('chat'),
    hooks: {
      onLink(link) {
        // An update that was called off meanwhile is not announced again.
        if (link === 'up') set({ update: null })
        else if (link !== 'connecting') set({ link, typingName: null })
        if (link === 'up' && !state.idChat) void startChat()
      },
      onUnreachable() {
        if (state.phase !== 'joining') return
        if (state.idChat) storeChatId(state.idChat, false)
        set({ phase: 'broken' })
      },
      onOpened: (idChat, joined) => handleJoined(idChat, joined) === true,
      onOpenFailed(idChat, { code }) {
        // Only a conversation that the server does not know is over; the client retries after any other failure.
        if (idChat === state.idChat && code === 'unknown_chat') void leaveChat('checking')
      },
      onSent: () => set({ sendRefusal: null }),
      onSendRefused(_idChat, { code, wait }) {
        // The join returns where the conversation continues, and whether its transcript would be mailed.
        if (code === 'closed') return retry()
        set({ sendRefusal: { code: code === 'limited' || code === 'invalid' ? code : 'broken', wait } })
      },
      onContinued: (_from, to) => continueChat(to),
    },
  })

  client.on('chat:new-message', ({ id_chat: idChat, bz_staff: isStaff }) => {
    if (idChat !== state.idChat) return
    if (isStaff) setTimer('unanswered')
    if (isStaff) set({ typingName: null, isUnanswered: false })
    // A technician is connected again.
    if (state.phase === 'nobody') void client.open(idChat)
  })
  client.on('chat:closed', ({ id_chat: idChat, continued_in: next, transcript }) => {
    if (idChat !== state.idChat) return
    if (next) continueChat(next)
    else endSession(transcript === true)
  })
  client.on('chat:reopened', ({ id_chat: idChat }) => {
    if (idChat !== state.idChat || state.phase !== 'ended') return
    storeSession({ ended: undefined })
    void client.open(idChat)
  })
  client.on('chat:typing', ({ user_name: typingName }) => {
    set({ typingName })
    setTimer('typing', typingShown, () => set({ typingName: null }))
  })
  client.on('chat:read', ({ seq }) => set({ staffReadSeq: Math.max(seq, state.staffReadSeq) }))
  client.on('chat:queue', (queue) => {
    set({ queue, isUnanswered: queue.no_answer_in === 0 })
    setTimer('unanswered')
    if (queue.no_answer_in) setTimer('unanswered', queue.no_answer_in, () => set({ isUnanswered: true }))
  })
  client.on('update:alert', (update) => set({ update }))

  function set(change: Partial<SessionState>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** Replaces a timer; without `work` it only clears it. */
  function setTimer(name: keyof typeof timers, delay = 0, work?: () => void) {
    clearTimeout(timers[name])
    if (work) timers[name] = setTimeout(work, delay)
  }

  /** Takes up the conversation of this tab, of another one or of a crashed one; else checks who is available. */
  async function start() {
    tabs = openTabs({
      running: () => (state.phase === 'open' ? state.idChat : null),
      onShared: adopt,
    })
    if (state.idChat) return connect()
    // After a crash the tab has lost the key; the outbox has not.
    const idChat = (await tabs.find()) ?? (await client.findStored()).at(-1)
    if (idChat) adopt(idChat)
    else check()
  }

  function adopt(idChat: string) {
    if (!tabs || !['checking', 'form', 'closed', 'nobody'].includes(state.phase)) return
    isFound = true
    storeChatId(idChat)
    set({ phase: 'joining', idChat })
    connect()
  }

  /** Asks whether technicians are available, until there is an answer. */
  function check() {
    set({ phase: 'checking' })
    showWayOutLater()
    void requestAvailability()
  }

  async function requestAvailability() {
    const isAwaited = () => ['checking', 'broken'].includes(state.phase) && !state.idChat && !login
    try {
      const availability = await getJson<ChatAvailability>(chatAddress('available-users'), AbortSignal.timeout(answerTimeout))
      if (isAwaited()) set({ availability, phase: availability.user_count > 0 ? 'form' : 'closed' })
    } catch {
      if (!isAwaited()) return
      set({ phase: 'broken' })
      setTimer('again', checkInterval, () => void requestAvailability())
    }
  }

  /** Shows the phone number and the form where the chat does not come about soon; the tries go on behind them. */
  function showWayOutLater() {
    setTimer('wayOut', patience, () => {
      if (state.phase === 'checking' || state.phase === 'joining') set({ phase: 'broken' })
    })
  }

  function connect() {
    showWayOutLater()
    client.start()
    if (state.idChat) void client.open(state.idChat)
  }

  /** Tries at once what is tried again by itself. */
  function retry() {
    if (!state.idChat && !login) return check()
    set({ phase: 'joining' })
    connect()
  }

  async function startChat() {
    if (!login) return
    const input = login
    try {
      const {
        id_chat: idChat,
        auto_reply: reply,
        can_attach: canAttach,
        is_new: isNew,
      } = await client.request('chat:connect', input)
      storeChatId(idChat)
      const autoReply = reply.chat_auto_reply ? { ...reply, sent_at: new Date().toISOString() } : null
      storeSession({ autoReply, startId: undefined })
      login = null
      void client.open(idChat, { isNew })
      sendDescription(idChat)
      // One that an unanswered try began is joined: somebody may have written, or closed it.
      set({ phase: isNew ? 'open' : state.phase, idChat, autoReply, canAttach, link: 'up' })
      tabs?.share(idChat)
    } catch (error) {
      const { code = 'broken', fields = [] } = error as Partial<ChatError>
      if (code === 'no_users') return leaveChat('nobody')
      if (code === 'invalid' && input.client_id && fields.length === 0) {
        // An instance of the version before ids refuses them.
        login = { ...input, client_id: undefined }
        return startChat()
      }
      if (code === 'invalid' || code === 'limited' || code === 'blocked') {
        disconnect()
        login = null
        return set({ phase: 'form', refusedLogin: { code, input, fields } })
      }
      if (code === 'broken') set({ phase: 'broken' })
      if (client.isUp()) setTimer('again', startInterval, () => client.isUp() && void startChat())
    }
  }

  /** What the visitor wrote before the conversation is its first message; a longer text stays in the field to be shortened. */
  function sendDescription(idChat: string) {
    const text = readStored().draft.trim()
    if (!text || text.length > chatMessageMax) return
    client.send(idChat, text)
    storeSession({ draft: '' })
  }

  function handleJoined(idChat: string, joined: ChatJoined) {
    if (idChat !== state.idChat) return
    if (joined.continued_in) return continueChat(joined.continued_in)
    if (isFound && joined.closed && !unsentText()) return void leaveChat('checking')
    set({ staffReadSeq: Math.max(joined.staff_read_seq, state.staffReadSeq) })
    if (joined.closed) return endSession(joined.transcript === true)
    if (readStored().ended === idChat) return void end()
    // Right after a reload with nobody connected, there is nobody to go on with. Later a technician may be reconnecting too.
    const isAlone = state.phase !== 'open' && joined.user_count === 0
    storeChatId(idChat, !isAlone)
    set({ phase: isAlone ? 'nobody' : 'open', link: 'up', canAttach: joined.can_attach })
    if (isAlone) setTimer('again', nobodyInterval, () => void client.open(idChat))
    return !isAlone
  }

  /** A full conversation continues in another, and so does what is unsent. */
  function continueChat(idChat: string) {
    const { idChat: from } = state
    if (from === idChat) return
    if (from) client.continueIn(from, idChat)
    storeChatId(idChat)
    set({ idChat, isContinued: true, staffReadSeq: 0 })
    tabs?.share(idChat)
    void client.open(idChat)
  }

  /** The visitor ends it. Until the server confirms it, the technicians see the visitor leave, and each join ends it again. */
  async function end() {
    const { idChat } = state
    if (!idChat) return
    storeSession({ ended: idChat })
    const closed = await client.close(idChat).catch(() => undefined)
    endSession(closed?.transcript ?? state.canMail, closed ? undefined : idChat)
  }

  /** Stays connected: a technician may reopen the conversation. */
  function endSession(canMail: boolean, ended?: string) {
    clearTimers()
    storeSession({ ended })
    set({ phase: 'ended', typingName: null, link: 'up', canMail })
  }

  /** The conversation is lost; what nobody received becomes the draft of the next one. */
  async function leaveChat(phase: 'nobody' | 'checking') {
    disconnect()
    const { idChat } = state
    if (idChat) await client.restore(idChat)
    dropChat(idChat ? client.forget(idChat) : [])
    login = null
    isFound = false
    set({ ...fresh, phase, idChat: null, autoReply: null })
    if (phase === 'checking') check()
  }

  /** What the visitor wrote and the server does not have: the outbox, then the draft. */
  function unsentText() {
    const { unsent } = client.conversation(state.idChat)
    return joinTexts([...unsent.map((one) => one.message), readStored().draft])
  }

  function clearTimers() {
    for (const timer of Object.values(timers)) clearTimeout(timer)
  }

  function disconnect() {
    clearTimers()
    client.stop()
  }

  return {
    client,
    read: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => void start(),
    stop() {
      tabs?.close()
      tabs = null
      disconnect()
    },
    retry,
    logIn(input: LoginInput) {
      const startId = readStored().startId ?? makeClientId()
      login = { ...input, client_id: startId }
      storeSession({ visitor: { name: input.client_name, email: input.client_email }, startId })
      set({ phase: 'joining', refusedLogin: null })
      connect()
    },
    /** Nobody is there any more: the name and the address go from the login into the message form. */
    leaveMessage({ client_name: name, client_email: email }: LoginInput) {
      storeSession({ visitor: { name, email } })
      set({ phase: 'closed', refusedLogin: null })
    },
    end,
    unsentText,
    /** Replaces all unsent text: the visitor edits it in one field, or it was sent as a request. */
    replaceUnsentText(draft: string) {
      if (state.idChat) client.takeBack(state.idChat)
      storeSession({ draft })
    },
    /** Removes the conversation from this browser; unsent text becomes the draft of the next one. */
    forget() {
      disconnect()
      const hasText = unsentText() !== ''
      const unsent = state.idChat ? client.forget(state.idChat) : []
      if (hasText) dropChat(unsent)
      else endChat()
      // The frame reports to its parent page that there is no conversation.
      set({})
    },
    sendLeave() {
      const { idChat, phase } = state
      if (idChat && phase === 'open') sendBeforeUnload(chatAddress('client-leave'), { id_chat: idChat })
    },
  }
}

export type VisitorSession = ReturnType<typeof createVisitorSession>
