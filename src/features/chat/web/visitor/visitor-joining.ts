import type { ChatMessage } from '../../values.ts'
import { lastWholeSeq } from './conversation.ts'
import { readUnsent } from './visitor-outbox.ts'
import { ChatError, openVisitorSocket } from './visitor-socket.ts'
import { keep, storeChatId } from './visitor-storage.ts'
import type { Visit } from './visitor-visit.ts'
import { finish, hangUp, leave } from './visitor-visit.ts'

const joinAgain = 4_000

/** Opens the line; each time it stands, the conversation begins or goes on. */
export function connect(visit: Visit) {
  const { read, set, talk, hints, moments } = visit
  visit.socket?.stop()
  visit.socket = openVisitorSocket({
    onUp: () => {
      // One that was taken back meanwhile is not told again.
      set({ update: null })
      const { idChat } = read()
      void (idChat ? join(visit, idChat) : start(visit))
    },
    onDown: () => {
      hints.forget()
      set({ link: navigator.onLine ? 'connecting' : 'down', typingName: null })
    },
    onRefused: () => void leave(visit, 'broken'),
    onMessage: (message) => receive(visit, message),
    onClosed: () => finish(visit),
    onTyping: moments.typing,
    onRead: (seq) => talk({ type: 'read', seq }),
    onQueue: moments.place,
    onUpdate: (update) => set({ update }),
  })
}

export function receive(visit: Visit, message: ChatMessage) {
  visit.talk({ type: 'received', messages: [message] })
  if (message.bz_staff) visit.moments.answered()
  const { idChat, conversation, link, phase } = visit.read()
  // A hole: a push was lost on the way.
  if (idChat && lastWholeSeq(conversation.messages) < message.seq && link === 'up' && phase === 'talking')
    void join(visit, idChat)
}

async function start(visit: Visit) {
  const { login, socket } = visit
  if (!login || !socket) return
  try {
    const { id_chat: idChat, user_count: userCount, auto_reply: reply, can_attach: canAttach } = await socket.start(login)
    if (userCount === 0) return await leave(visit, 'nobody')
    storeChatId(idChat)
    const autoReply = reply.chat_auto_reply ? { ...reply, sent_at: new Date().toISOString() } : null
    keep({ autoReply, visitor: { name: login.client_name, email: login.client_email } })
    visit.login = null
    visit.set({ phase: 'talking', idChat, autoReply, canAttach, link: 'up' })
    visit.tabs?.share(idChat)
  } catch (error) {
    const code = error instanceof ChatError ? error.code : 'broken'
    if (code !== 'invalid' && code !== 'limited' && code !== 'blocked')
      return leave(visit, code === 'no_users' ? 'nobody' : 'broken')
    hangUp(visit)
    visit.set({ phase: 'form', loginError: code })
  }
}

async function join(visit: Visit, idChat: string) {
  const { read, set, talk } = visit
  const isReturn = read().phase === 'talking'
  try {
    const joined = await visit.socket?.join(idChat, lastWholeSeq(read().conversation.messages))
    if (!joined) return
    // A reload that finds nobody starts over (spec.md 4); a technician may come back together with the connection.
    if (!isReturn && !joined.closed && joined.user_count === 0) return await leave(visit, 'nobody')
    if (visit.isFound && joined.closed) return await leave(visit, 'checking')
    if (!isReturn) talk({ type: 'restored', unsent: (await readUnsent()).filter((one) => one.id_chat === idChat) })
    talk({ type: 'received', messages: joined.messages })
    talk({ type: 'read', seq: joined.staff_read_seq })
    if (joined.closed) return finish(visit)
    set({ phase: 'talking', link: 'up', canAttach: joined.can_attach })
    void visit.sender.flush()
  } catch (error) {
    if (error instanceof ChatError && (error.code === 'silent' || error.code === 'limited') && isReturn) {
      if (visit.socket?.isUp()) setTimeout(() => read().idChat === idChat && void join(visit, idChat), joinAgain)
      return
    }
    await leave(visit, visit.isFound ? 'checking' : 'broken')
  }
}
