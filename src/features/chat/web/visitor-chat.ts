import type { Language } from '#src/lib/language.ts'
import { callApi, getJson } from '#src/ui/api.ts'
import type { ChatAvailability, ChatMessage } from '../values.ts'
import { chatAddress, tellBeforeGoing } from './chat-host.ts'
import type { Conversation, ConversationAction } from './conversation.ts'
import { emptyConversation, lastWholeSeq, reduceConversation } from './conversation.ts'
import { ChatError, openVisitorSocket } from './visitor-socket.ts'
import type { VisitorSocket } from './visitor-socket.ts'
import { dropChat, endChat, keep, readKept, storeChatId, storedChatId } from './visitor-storage.ts'

/** `checking`, then `shut`, `form` or `broken`; `joining`, then `talking`; `ended` asks about the transcript. */
export type ChatPhase = 'checking' | 'shut' | 'form' | 'joining' | 'talking' | 'ended' | 'broken' | 'nobody'

export type ChatState = {
  phase: ChatPhase
  idChat: string | null
  availability: ChatAvailability | null
  conversation: Conversation
  autoReply: { message: string; sent_at: string } | null
  isOnline: boolean
  typingName: string | null
  loginError: 'invalid' | 'limited' | 'blocked' | null
}

export type LoginInput = { client_name: string; client_email: string; client_business: string; language: Language; page: string }

const typingShown = 4_000
const typingTold = 2_000

/** One visitor's conversation, from the check at the door to the end; the panel reads it and tells it what to do. */
export function createVisitorChat() {
  let state: ChatState = {
    phase: storedChatId() ? 'joining' : 'checking',
    idChat: storedChatId(),
    availability: null,
    conversation: emptyConversation,
    autoReply: readKept().autoReply,
    isOnline: true,
    typingName: null,
    loginError: null,
  }
  const listeners = new Set<() => void>()
  let socket: VisitorSocket | null = null
  let pendingLogin: LoginInput | null = null
  let typingTimer: ReturnType<typeof setTimeout> | undefined
  let lastTyping = 0
  let lastRead = 0
  let isFlushing = false

  function set(change: Partial<ChatState>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function talk(action: ConversationAction) {
    const conversation = reduceConversation(state.conversation, action)
    if (conversation.unsent !== state.conversation.unsent) keep({ unsent: conversation.unsent })
    set({ conversation })
  }

  function begin() {
    if (state.idChat) connect()
    else void check()
  }

  async function check() {
    set({ phase: 'checking' })
    try {
      const availability = await getJson<ChatAvailability>(chatAddress('available-users'))
      set({ availability, phase: availability.user_count > 0 ? 'form' : 'shut' })
    } catch {
      set({ phase: 'broken' })
    }
  }

  function connect() {
    socket = openVisitorSocket({
      onUp: () => void (state.idChat ? join(state.idChat) : start()),
      onDown: () => set({ isOnline: false, typingName: null }),
      onRefused: () => leave('broken'),
      onMessage: receive,
      onClosed: finish,
      onTyping: showTyping,
      onRead: (seq) => talk({ type: 'read', seq }),
    })
  }

  async function start() {
    if (!pendingLogin || !socket) return
    try {
      const { id_chat: idChat, user_count: userCount, auto_reply: reply } = await socket.start(pendingLogin)
      if (userCount === 0) return leave('nobody')
      storeChatId(idChat)
      const autoReply = reply.chat_auto_reply
        ? { message: reply.chat_auto_reply_message, sent_at: new Date().toISOString() }
        : null
      keep({ autoReply })
      pendingLogin = null
      set({ phase: 'talking', idChat, autoReply, isOnline: true })
    } catch (error) {
      const code = error instanceof ChatError ? error.code : 'broken'
      if (code !== 'invalid' && code !== 'limited' && code !== 'blocked') return leave(code === 'no_users' ? 'nobody' : 'broken')
      stop()
      set({ phase: 'form', loginError: code })
    }
  }

  async function join(idChat: string) {
    const isReturn = state.phase === 'talking'
    try {
      const joined = await socket?.join(idChat, lastWholeSeq(state.conversation.messages))
      if (!joined) return
      // A reload that finds nobody starts over (spec.md 4); a technician may come back together with the connection.
      if (!isReturn && !joined.closed && joined.user_count === 0) return leave('nobody')
      if (!isReturn) talk({ type: 'restored', unsent: readKept().unsent })
      talk({ type: 'received', messages: joined.messages })
      talk({ type: 'read', seq: joined.staff_read_seq })
      if (joined.closed) return finish()
      set({ phase: 'talking', isOnline: true })
      void flush()
    } catch (error) {
      if (error instanceof ChatError && (error.code === 'silent' || error.code === 'limited') && isReturn) {
        if (socket?.isUp()) setTimeout(() => state.idChat === idChat && void join(idChat), typingShown)
        return
      }
      leave('broken')
    }
  }

  /** One at a time and in the order of writing: the server numbers what it gets. */
  async function flush() {
    if (isFlushing) return
    isFlushing = true
    const tried = new Set<string>()
    try {
      for (;;) {
        const next = state.conversation.unsent.find((one) => !tried.has(one.client_message_id))
        if (!next || !state.idChat || !socket) return
        tried.add(next.client_message_id)
        await deliver(state.idChat, next.client_message_id, next.message)
      }
    } finally {
      isFlushing = false
    }
  }

  async function deliver(idChat: string, clientMessageId: string, message: string) {
    try {
      if (state.conversation.unsent.some((one) => one.client_message_id === clientMessageId && one.state === 'failed')) {
        talk({ type: 'sending', client_message_id: clientMessageId })
      }
      const sent = await socket?.send({ id_chat: idChat, message, client_message_id: clientMessageId })
      if (sent) receive(sent.message)
    } catch (error) {
      if (error instanceof ChatError && error.code === 'closed') return finish()
      talk({ type: 'failed', client_message_id: clientMessageId })
    }
  }

  function receive(message: ChatMessage) {
    talk({ type: 'received', messages: [message] })
    if (message.bz_staff) set({ typingName: null })
    // A hole: a push was lost on the way.
    if (state.idChat && lastWholeSeq(state.conversation.messages) < message.seq && state.isOnline && state.phase === 'talking')
      void join(state.idChat)
  }

  function showTyping(name: string) {
    clearTimeout(typingTimer)
    set({ typingName: name })
    typingTimer = setTimeout(() => set({ typingName: null }), typingShown)
  }

  function finish() {
    stop()
    set({ phase: 'ended', typingName: null, isOnline: true })
  }

  function leave(phase: 'broken' | 'nobody') {
    stop()
    dropChat()
    pendingLogin = null
    set({ phase, idChat: null, conversation: emptyConversation, autoReply: null, isOnline: true })
  }

  function stop() {
    clearTimeout(typingTimer)
    socket?.stop()
    socket = null
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => state,
    begin,
    check,
    stop,
    logIn(input: LoginInput) {
      pendingLogin = input
      set({ phase: 'joining', loginError: null })
      connect()
    },
    write(message: string) {
      const written = {
        client_message_id: crypto.randomUUID(),
        message,
        written_at: new Date().toISOString(),
        state: 'sending' as const,
      }
      talk({ type: 'written', message: written })
      void flush()
    },
    retry: () => void flush(),
    tellTyping() {
      if (!state.idChat || Date.now() - lastTyping < typingTold) return
      lastTyping = Date.now()
      socket?.tellTyping(state.idChat)
    },
    /** What the technicians wrote is before the visitor's eyes. */
    tellRead() {
      const seq = state.conversation.messages.findLast((one) => one.bz_staff)?.seq ?? 0
      if (!state.idChat || seq <= lastRead || !socket?.isUp()) return
      lastRead = seq
      socket.tellRead(state.idChat, seq)
    },
    /** The visitor ends it; where the server cannot be told, the technicians see the visitor leave. */
    async end() {
      if (state.idChat) await socket?.end(state.idChat).catch(() => undefined)
      finish()
    },
    askTranscript: () => callApi<undefined>('POST', chatAddress('transcript'), { id_chat: state.idChat }),
    forget: endChat,
    tellLeaving() {
      if (!state.idChat || state.phase !== 'talking') return
      tellBeforeGoing(chatAddress('client-leave'), { id_chat: state.idChat })
    },
  }
}

export type VisitorChat = ReturnType<typeof createVisitorChat>
