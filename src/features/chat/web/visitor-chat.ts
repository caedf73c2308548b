import { getJson } from '#src/ui/api.ts'
import type { ChatAvailability, ChatMessage } from '../values.ts'
import { chatAddress, tellBeforeGoing } from './chat-host.ts'
import type { ConversationAction } from './conversation.ts'
import { lastWholeSeq, reduceConversation } from './conversation.ts'
import { createHints } from './visitor-hints.ts'
import { createMoments } from './visitor-moments.ts'
import { readUnsent } from './visitor-outbox.ts'
import { createSender, keepOutbox } from './visitor-sender.ts'
import { ChatError, openVisitorSocket } from './visitor-socket.ts'
import type { VisitorSocket } from './visitor-socket.ts'
import { fresh } from './visitor-state.ts'
import type { ChatState, LoginInput } from './visitor-state.ts'
import { dropChat, endChat, keep, readKept, storeChatId, storedChatId } from './visitor-storage.ts'
import { openTabs } from './visitor-tabs.ts'
import type { VisitorTabs } from './visitor-tabs.ts'

const joinAgain = 4_000

/** One visitor's conversation, from the check at the door to the end; the panel reads it and tells it what to do. */
export function createVisitorChat() {
  let state: ChatState = {
    ...fresh,
    phase: storedChatId() ? 'joining' : 'checking',
    idChat: storedChatId(),
    availability: null,
    autoReply: readKept().autoReply,
    loginError: null,
    canAttach: false,
  }
  const listeners = new Set<() => void>()
  let socket: VisitorSocket | null = null
  let tabs: VisitorTabs | null = null
  let pendingLogin: LoginInput | null = null
  /** Its key came from another tab or from the outbox, not from this tab. */
  let isFound = false

  const moments = createMoments(set)
  const hints = createHints({ state: () => state, socket: () => socket })
  const sender = createSender({
    conversation: () => state.conversation,
    idChat: () => state.idChat,
    socket: () => socket,
    talk,
    receive,
    onRefused: (sendRefusal) => set({ sendRefusal }),
    onClosed: finish,
  })

  function set(change: Partial<ChatState>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function talk(action: ConversationAction) {
    const conversation = reduceConversation(state.conversation, action)
    if (state.idChat) keepOutbox(state.idChat, state.conversation.unsent, conversation.unsent)
    set({ conversation })
  }

  async function begin() {
    tabs = openTabs({ running: () => (state.phase === 'talking' ? state.idChat : null), onShared: adopt })
    if (state.idChat) return connect()
    // After a crash the tab has forgotten; what could not be sent has not.
    const idChat = (await tabs.find()) ?? (await readUnsent()).at(-1)?.id_chat
    if (idChat) adopt(idChat)
    else await check()
  }

  function adopt(idChat: string) {
    if (!tabs || !['checking', 'form', 'shut', 'nobody'].includes(state.phase)) return
    isFound = true
    storeChatId(idChat)
    set({ phase: 'joining', idChat })
    connect()
  }

  async function check() {
    set({ phase: 'checking' })
    try {
      const availability = await getJson<ChatAvailability>(chatAddress('available-users'))
      if (state.phase === 'checking') set({ availability, phase: availability.user_count > 0 ? 'form' : 'shut' })
    } catch {
      if (state.phase === 'checking') set({ phase: 'broken' })
    }
  }

  function connect() {
    socket?.stop()
    socket = openVisitorSocket({
      onUp: () => {
        // One that was taken back meanwhile is not told again.
        set({ update: null })
        void (state.idChat ? join(state.idChat) : start())
      },
      onDown: () => {
        hints.forget()
        set({ link: navigator.onLine ? 'connecting' : 'down', typingName: null })
      },
      onRefused: () => void leave('broken'),
      onMessage: receive,
      onClosed: finish,
      onTyping: moments.typing,
      onRead: (seq) => talk({ type: 'read', seq }),
      onQueue: moments.place,
      onUpdate: (update) => set({ update }),
    })
  }

  async function start() {
    if (!pendingLogin || !socket) return
    const { client_name: name, client_email: email } = pendingLogin
    try {
      const {
        id_chat: idChat,
        user_count: userCount,
        auto_reply: reply,
        can_attach: canAttach,
      } = await socket.start(pendingLogin)
      if (userCount === 0) return await leave('nobody')
      storeChatId(idChat)
      const autoReply = reply.chat_auto_reply ? { ...reply, sent_at: new Date().toISOString() } : null
      keep({ autoReply, visitor: { name, email } })
      pendingLogin = null
      set({ phase: 'talking', idChat, autoReply, canAttach, link: 'up' })
      tabs?.share(idChat)
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
      if (!isReturn && !joined.closed && joined.user_count === 0) return await leave('nobody')
      if (isFound && joined.closed) return await leave('checking')
      if (!isReturn) talk({ type: 'restored', unsent: (await readUnsent()).filter((one) => one.id_chat === idChat) })
      talk({ type: 'received', messages: joined.messages })
      talk({ type: 'read', seq: joined.staff_read_seq })
      if (joined.closed) return finish()
      set({ phase: 'talking', link: 'up', canAttach: joined.can_attach })
      void sender.flush()
    } catch (error) {
      if (error instanceof ChatError && (error.code === 'silent' || error.code === 'limited') && isReturn) {
        if (socket?.isUp()) setTimeout(() => state.idChat === idChat && void join(idChat), joinAgain)
        return
      }
      await leave(isFound ? 'checking' : 'broken')
    }
  }

  function receive(message: ChatMessage) {
    talk({ type: 'received', messages: [message] })
    if (message.bz_staff) moments.answered()
    // A hole: a push was lost on the way.
    if (
      state.idChat &&
      lastWholeSeq(state.conversation.messages) < message.seq &&
      state.link === 'up' &&
      state.phase === 'talking'
    )
      void join(state.idChat)
  }

  function finish() {
    stop()
    set({ phase: 'ended', typingName: null, link: 'up' })
  }

  /** The conversation is no more; what nobody received comes back as the draft of the next one. */
  async function leave(phase: 'broken' | 'nobody' | 'checking') {
    stop()
    const { idChat, conversation } = state
    const kept = (await readUnsent()).filter((one) => one.id_chat === idChat)
    const texts = new Map([...kept, ...conversation.unsent].map((one) => [one.client_message_id, one.message]))
    dropChat([...texts.values()])
    if (idChat) keepOutbox(idChat, [...kept, ...conversation.unsent], [])
    pendingLogin = null
    isFound = false
    set({ ...fresh, phase, idChat: null, autoReply: null })
    if (phase === 'checking') await check()
  }

  function stop() {
    moments.stop()
    sender.stop()
    socket?.stop()
    socket = null
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => state,
    begin: () => void begin(),
    check: () => void check(),
    stop() {
      tabs?.close()
      tabs = null
      stop()
    },
    receive,
    logIn(input: LoginInput) {
      pendingLogin = input
      set({ phase: 'joining', loginError: null })
      connect()
    },
    write(message: string) {
      const unsent = { client_message_id: crypto.randomUUID(), message, written_at: new Date().toISOString() }
      talk({ type: 'written', message: { ...unsent, state: state.link === 'up' ? 'sending' : 'waiting' } })
      void sender.flush()
    },
    retry: () => void sender.flush(),
    tellTyping: hints.typing,
    tellRead: hints.read,
    /** The visitor ends it; where the server cannot be told, the technicians see the visitor leave. */
    async end() {
      if (state.idChat) await socket?.end(state.idChat).catch(() => undefined)
      finish()
    },
    forget() {
      if (state.idChat) keepOutbox(state.idChat, state.conversation.unsent, [])
      endChat()
    },
    tellLeaving() {
      if (state.idChat && state.phase === 'talking') tellBeforeGoing(chatAddress('client-leave'), { id_chat: state.idChat })
    },
  }
}

export type VisitorChat = ReturnType<typeof createVisitorChat>
