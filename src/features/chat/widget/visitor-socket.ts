import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'
import { chatHost } from '../keys.ts'
import type {
  ChatAnswer,
  ChatConnected,
  ChatErrorCode,
  ChatJoined,
  ChatMessage,
  QueuePlace,
  UpdateNotice,
  VisitorEvents,
  VisitorPushes,
  ChatClosed,
} from '../values.ts'
import { fallBackToPolling, firstTransport, comeBack, comeBackDelay } from '../client/connection.ts'

const ackTimeout = 8_000

type Handlers = {
  /** The connection stands, the first time or again. */
  onUp: () => void
  onDown: () => void
  /** Neither a WebSocket nor long polling came about; the tries go on. */
  onUnreachable: () => void
  onMessage: (message: ChatMessage) => void
  onClosed: (closed: ChatClosed) => void
  onTyping: (name: string) => void
  onRead: (seq: number) => void
  onQueue: (place: QueuePlace) => void
  onUpdate: (notice: UpdateNotice | null) => void
}

/** The server refused, or did not answer in time (`silent`). */
export class ChatError extends Error {
  readonly code: ChatErrorCode | 'silent'
  /** After a limit: seconds to wait. */
  readonly wait: number

  constructor(code: ChatErrorCode | 'silent', wait = 0) {
    super(code)
    this.code = code
    this.wait = wait
  }
}

export function openVisitorSocket(handlers: Handlers) {
  const socket: Socket<VisitorPushes, VisitorEvents> = io(chatHost(), {
    ...firstTransport,
    ...comeBack,
  })
  let isOver = false

  socket.on('connect', handlers.onUp)
  fallBackToPolling(socket, () => !isOver && handlers.onUnreachable())
  socket.on('disconnect', (reason) => {
    if (isOver) return
    handlers.onDown()
    if (reason === 'io server disconnect') setTimeout(() => !isOver && socket.connect(), comeBackDelay())
  })
  socket.on('chat:new-message', handlers.onMessage)
  socket.on('chat:closed', handlers.onClosed)
  socket.on('chat:typing', ({ user_name }) => handlers.onTyping(user_name))
  socket.on('chat:read', ({ seq }) => handlers.onRead(seq))
  socket.on('chat:queue', handlers.onQueue)
  socket.on('update:alert', handlers.onUpdate)

  // The browser knows sooner than the next try.
  const hurry = () => {
    if (!socket.connected && !isOver) socket.disconnect().connect()
  }
  const admit = () => socket.connected && socket.io.engine.close()
  window.addEventListener('online', hurry)
  window.addEventListener('offline', admit)

  function stop() {
    isOver = true
    window.removeEventListener('online', hurry)
    window.removeEventListener('offline', admit)
    socket.close()
  }

  async function answered<T>(work: Promise<ChatAnswer<T>>): Promise<T> {
    const answer = await work.catch(() => null)
    if (!answer) throw new ChatError('silent')
    if (answer.ok) return answer
    const { error } = answer
    throw new ChatError(error.code, error.retry_after)
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
    join: async (idChat: string, range: { after_seq: number } | { before_seq: number }) =>
      answered<ChatJoined>(patient().emitWithAck('chat:client-join', { id_chat: idChat, ...range })),
    send: async (input: Parameters<VisitorEvents['chat:send-message']>[0]) =>
      answered<{ message: ChatMessage }>(patient().emitWithAck('chat:send-message', input)),
    end: async (idChat: string) => answered<{ transcript: boolean }>(patient().emitWithAck('chat:close', { id_chat: idChat })),
    tellTyping: (idChat: string) => socket.connected && socket.emit('chat:typing', { id_chat: idChat }),
    tellRead: (idChat: string, seq: number) => socket.connected && socket.emit('chat:read', { id_chat: idChat, seq }),
  }
}

export type VisitorSocket = ReturnType<typeof openVisitorSocket>
