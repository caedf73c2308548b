import type { ChatMessage } from '../values.ts'
import { emptyConversation, lastWholeSeq } from './conversation.ts'
import { readUnsent } from './visitor-outbox.ts'
import { keepOutbox } from './visitor-sender.ts'
import { ChatError, openVisitorSocket } from './visitor-socket.ts'
import { keep, storeChatId } from './visitor-storage.ts'
import type { Visit } from './visitor-visit.ts'
import { check, finish, hangUp, leave, showWayOutSoon, tryAgainIn } from './visitor-visit.ts'

const joinAgain = 4_000
const somebodyAgain = 10_000

/** Opens the line; each time it stands, the conversation begins or goes on. */
export function connect(visit: Visit) {
  const { read, set, talk, hints, moments } = visit
  showWayOutSoon(visit)
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
    onUnreachable: () => {
      const { idChat, phase } = read()
      if (phase !== 'joining') return
      if (idChat) storeChatId(idChat, false)
      set({ phase: 'broken' })
    },
    onMessage: (message) => receive(visit, message),
    onClosed: ({ continued_in: next, transcript }) => (next ? moveOn(visit, next) : finish(visit, transcript === true)),
    onTyping: moments.typing,
    onRead: (seq) => talk({ type: 'read', seq }),
    onQueue: moments.place,
    onUpdate: (update) => set({ update }),
  })
}

/** Tries at once what is tried again by itself. */
export function retry(visit: Visit) {
  if (!visit.read().idChat && !visit.login) return void check(visit)
  visit.set({ phase: 'joining' })
  connect(visit)
}

export function receive(visit: Visit, message: ChatMessage) {
  const { idChat, link, phase } = visit.read()
  if (idChat !== message.id_chat) return
  visit.talk({ type: 'received', messages: [message] })
  if (message.bz_staff) visit.moments.answered()
  // A hole: a push was lost on the way. Or somebody is there again.
  const isHole = lastWholeSeq(visit.read().conversation) < message.seq && phase === 'talking'
  if (link === 'up' && (isHole || phase === 'nobody')) void join(visit, idChat)
}

/** The conversation was full: it goes on in another, and so does what is unsent. */
export function moveOn(visit: Visit, idChat: string) {
  const { idChat: before, conversation } = visit.read()
  if (before === idChat) return
  if (before) keepOutbox(before, conversation.unsent, [])
  keepOutbox(idChat, [], conversation.unsent)
  storeChatId(idChat)
  visit.set({ idChat, isContinued: true, conversation: { ...emptyConversation, unsent: conversation.unsent } })
  visit.tabs?.share(idChat)
  void join(visit, idChat)
}

/** Shows the page of messages before the first that is shown. */
export async function loadOlder(visit: Visit) {
  const { idChat, conversation, older } = visit.read()
  const [first] = conversation.messages
  if (!idChat || !first || first.seq <= 1 || older === 'loading' || !visit.socket) return
  visit.set({ older: 'loading' })
  try {
    const { messages } = await visit.socket.join(idChat, { before_seq: first.seq })
    if (visit.read().idChat === idChat) visit.talk({ type: 'received', messages })
    visit.set({ older: 'idle' })
  } catch {
    visit.set({ older: 'failed' })
  }
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
    if (code === 'no_users') return leave(visit, 'nobody')
    if (code === 'invalid' || code === 'limited' || code === 'blocked') {
      hangUp(visit)
      visit.login = null
      return visit.set({ phase: 'form', loginError: code })
    }
    if (code === 'broken') visit.set({ phase: 'broken' })
    if (socket.isUp()) tryAgainIn(visit, joinAgain, () => socket.isUp() && void start(visit))
  }
}

async function join(visit: Visit, idChat: string) {
  const { read, set, talk, socket } = visit
  const isReturn = read().phase === 'talking'
  try {
    const joined = await socket?.join(idChat, { after_seq: lastWholeSeq(read().conversation) })
    if (!joined || read().idChat !== idChat) return
    if (!isReturn) talk({ type: 'restored', unsent: (await readUnsent()).filter((one) => one.id_chat === idChat) })
    if (joined.continued_in) return moveOn(visit, joined.continued_in)
    if (visit.isFound && joined.closed) return await leave(visit, 'checking')
    talk({ type: 'joined', messages: joined.messages })
    talk({ type: 'read', seq: joined.staff_read_seq })
    if (joined.closed) return finish(visit, joined.transcript === true)
    // After a reload nobody is there to go on with; a technician may come back together with the connection.
    const isAlone = !isReturn && joined.user_count === 0
    storeChatId(idChat, !isAlone)
    set({ phase: isAlone ? 'nobody' : 'talking', link: 'up', canAttach: joined.can_attach })
    if (isAlone) tryAgainIn(visit, somebodyAgain, () => void join(visit, idChat))
    else void visit.sender.flush()
  } catch (error) {
    if (read().idChat !== idChat) return
    const { code, wait } = error instanceof ChatError ? error : new ChatError('broken')
    // Only the server's word that there is no such conversation ends it here; whatever else fails is tried again.
    if (code === 'unknown_chat' || code === 'invalid') return leave(visit, 'checking')
    if (socket?.isUp()) tryAgainIn(visit, Math.max(joinAgain, wait * 1_000), () => void join(visit, idChat))
  }
}
