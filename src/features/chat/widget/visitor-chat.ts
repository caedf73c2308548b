import type { ChatMessage } from '../values.ts'
import { chatAddress, tellBeforeGoing } from './chat-host.ts'
import { emptyConversation } from './conversation.ts'
import { createHints } from './visitor-hints.ts'
import { connect, loadOlder, moveOn, receive, retry } from './visitor-joining.ts'
import { createMoments } from './visitor-moments.ts'
import { readUnsent } from './visitor-outbox.ts'
import { createSender, keepOutbox } from './visitor-sender.ts'
import type { LoginInput } from './visitor-state.ts'
import { endChat, storeChatId } from './visitor-storage.ts'
import { createStore } from './visitor-store.ts'
import { openTabs } from './visitor-tabs.ts'
import { check, finish, hangUp } from './visitor-visit.ts'
import type { Visit } from './visitor-visit.ts'

/** One visitor's conversation, from the check at the door to the end; the panel reads it and tells it what to do. */
export function createVisitorChat() {
  const visit = createVisit()
  const { read, set, talk, subscribe, hints, sender } = visit

  return {
    subscribe,
    read,
    begin: () => void begin(visit),
    check: () => retry(visit),
    loadOlder: () => void loadOlder(visit),
    stop() {
      visit.tabs?.close()
      visit.tabs = null
      hangUp(visit)
    },
    receive: (message: ChatMessage) => receive(visit, message),
    logIn(input: LoginInput) {
      visit.login = input
      set({ phase: 'joining', loginError: null })
      connect(visit)
    },
    write(message: string) {
      const unsent = { client_message_id: crypto.randomUUID(), message, written_at: new Date().toISOString() }
      talk({ type: 'written', message: { ...unsent, state: read().link === 'up' ? 'sending' : 'waiting' } })
      void sender.flush()
    },
    retry: () => void sender.flush(),
    tellTyping: hints.typing,
    tellRead: hints.read,
    /** The visitor ends it; where the server cannot be told, the technicians see the visitor leave. */
    async end() {
      const { idChat } = read()
      const ended = idChat ? await visit.socket?.end(idChat).catch(() => undefined) : undefined
      finish(visit, ended?.transcript === true)
    },
    forget() {
      const { idChat, conversation } = read()
      if (idChat) keepOutbox(idChat, conversation.unsent, [])
      endChat()
      // Whoever shows the panel hears that nothing goes on.
      set({ conversation: { ...emptyConversation, messages: [] } })
    },
    tellLeaving() {
      const { idChat, phase } = read()
      if (idChat && phase === 'talking') tellBeforeGoing(chatAddress('client-leave'), { id_chat: idChat })
    },
  }
}

function createVisit() {
  const store = createStore()
  const { read, set, talk } = store
  const socket = () => visit.socket
  const visit: Visit = {
    ...store,
    moments: createMoments(set),
    hints: createHints({ state: read, socket }),
    sender: createSender({
      conversation: () => read().conversation,
      idChat: () => read().idChat,
      socket,
      talk,
      receive: (message) => (message.id_chat === read().idChat ? receive(visit, message) : moveOn(visit, message.id_chat)),
      onRefused: (sendRefusal) => set({ sendRefusal }),
      // Whether it goes on elsewhere, and whether its transcript would be mailed, the join tells.
      onClosed: () => retry(visit),
    }),
    socket: null,
    tabs: null,
    login: null,
    isFound: false,
    timers: {},
  }
  return visit
}

/** Takes up the conversation of this tab, of another one or of a crashed one; else asks who is there. */
async function begin(visit: Visit) {
  const { read } = visit
  const tabs = openTabs({
    running: () => (read().phase === 'talking' ? read().idChat : null),
    onShared: (idChat) => adopt(visit, idChat),
  })
  visit.tabs = tabs
  if (read().idChat) return connect(visit)
  // After a crash the tab has forgotten; what could not be sent has not.
  const idChat = (await tabs.find()) ?? (await readUnsent()).at(-1)?.id_chat
  if (idChat) adopt(visit, idChat)
  else await check(visit)
}

function adopt(visit: Visit, idChat: string) {
  if (!visit.tabs || !['checking', 'form', 'shut', 'nobody'].includes(visit.read().phase)) return
  visit.isFound = true
  storeChatId(idChat)
  visit.set({ phase: 'joining', idChat })
  connect(visit)
}

export type VisitorChat = ReturnType<typeof createVisitorChat>
