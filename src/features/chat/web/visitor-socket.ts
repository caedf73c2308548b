import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'
import { chatHost } from './chat-host.ts'
import type {
  ChatAnswer,
  ChatConnected,
  ChatErrorCode,
  ChatJoined,
  ChatMessage,
  VisitorEvents,
  VisitorPushes,
} from '../values.ts'
import { comeBack, comeBackDelay } from './come-back.ts'

const ackTimeout = 8_000

type Handlers = {
  /** The connection stands, the first time or again. */
  onUp: () => void
  onDown: () => void
  /** The very first connection failed. */
  onRefused: () => void
  onMessage: (message: ChatMessage) => void
  onClosed: () => void
  onTyping: (name: string) => void
  onRead: (seq: number) => void
}

/** The server refused, or did not answer in time (`silent`). */
export class ChatError extends Error {
  readonly code: ChatErrorCode | 'silent'

  constructor(code: ChatErrorCode | 'silent') {
    super(code)
    this.code = code
  }
}

export function openVisitorSocket(handlers: Handlers) {
  const socket: Socket<VisitorPushes, VisitorEvents> = io(chatHost(), {
    transports: ['websocket'],
    ...comeBack,
  })
  let hasStood = false
  let isOver = false

  socket.on('connect', () => {
    hasStood = true
    handlers.onUp()
  })
  socket.on('connect_error', () => {
    if (hasStood || isOver) return
    stop()
    handlers.onRefused()
  })
  socket.on('disconnect', (reason) => {
    if (isOver) return
    handlers.onDown()
    if (reason === 'io server disconnect') setTimeout(() => !isOver && socket.connect(), comeBackDelay())
  })
  socket.on('chat:new-message', handlers.onMessage)
  socket.on('chat:closed', handlers.onClosed)
  socket.on('chat:typing', ({ user_name }) => handlers.onTyping(user_name))
  socket.on('chat:read', ({ seq }) => handlers.onRead(seq))

  function stop() {
    isOver = true
    socket.close()
  }

  async function answered<T>(work: Promise<ChatAnswer<T>>): Promise<T> {
    const answer = await work.catch(() => null)
    if (!answer) throw new ChatError('silent')
    if (!answer.ok) throw new ChatError((answer as { error: { code: ChatErrorCode } }).error.code)
    return answer
  }

  const patient = () => {
    // The library would keep it for later by itself, and out of order.
    if (!socket.connected) throw new ChatError('silent')
    return socket.timeout(ackTimeout)
  }

  return {
    stop,
    isUp: () => socket.connected,
    start: async (input: Parameters<VisitorEvents['chat:connect']>[0]) =>
      answered<ChatConnected>(patient().emitWithAck('chat:connect', input)),
    join: async (idChat: string, afterSeq: number) =>
      answered<ChatJoined>(patient().emitWithAck('chat:client-join', { id_chat: idChat, after_seq: afterSeq })),
    send: async (input: Parameters<VisitorEvents['chat:send-message']>[0]) =>
      answered<{ message: ChatMessage }>(patient().emitWithAck('chat:send-message', input)),
    end: async (idChat: string) => answered<object>(patient().emitWithAck('chat:close', { id_chat: idChat })),
    tellTyping: (idChat: string) => socket.connected && socket.emit('chat:typing', { id_chat: idChat }),
    tellRead: (idChat: string, seq: number) => socket.connected && socket.emit('chat:read', { id_chat: idChat, seq }),
  }
}

export type VisitorSocket = ReturnType<typeof openVisitorSocket>
