import { useEffect, useMemo, useReducer, useRef } from 'react'
import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'
import type { ChatAnswer, ChatErrorCode, StaffEvents, StaffPushes } from '../values.ts'
import type { ConsoleState, UnsentStaffMessage } from './console-state.ts'
import { comeBack, comeBackDelay } from './come-back.ts'
import { emptyConsole, lastWholeSeq, reduceConsole } from './console-state.ts'

const ackTimeout = 8_000
const typingEvery = 2_000

export class StaffRefusal extends Error {
  readonly code: ChatErrorCode

  constructor(code: ChatErrorCode) {
    super(code)
    this.code = code
  }
}

/** The technician's line to the server: it comes back by itself, and catches up when it does. */
export function useConsole() {
  const [state, dispatch] = useReducer(reduceConsole, emptyConsole)
  const latest = useRef<ConsoleState>(state)
  const socket = useRef<Socket<StaffPushes, StaffEvents>>(undefined)
  const opened = useRef<number | null>(null)
  useEffect(() => {
    latest.current = state
  }, [state])

  const verbs = useMemo(() => {
    async function ask<T>(call: (line: Socket<StaffPushes, StaffEvents>) => Promise<ChatAnswer<T>>): Promise<T> {
      const line = socket.current
      if (!line?.connected) throw new StaffRefusal('not_connected')
      const answer = await call(line)
      if (!answer.ok) throw new StaffRefusal(answer.error.code)
      return answer
    }
    const timed = (line: Socket<StaffPushes, StaffEvents>) => line.timeout(ackTimeout)

    async function load() {
      const { chats, users, available } = await ask((line) => timed(line).emitWithAck('staff:chats', { scope: 'all' }))
      dispatch({ type: 'listed', chats, users, available })
    }

    async function open(id: number) {
      opened.current = id
      let after = lastWholeSeq(latest.current.messages[id])
      for (let isOver = false; !isOver;) {
        const from = after
        const { chat, messages, more } = await ask((line) => timed(line).emitWithAck('staff:open', { id, after_seq: from }))
        dispatch({ type: 'chat', chat })
        dispatch({ type: 'messages', id, messages })
        after = messages.at(-1)?.seq ?? after
        isOver = !more || after === from
      }
    }

    async function deliver(id: number, { client_message_id, message, internal }: UnsentStaffMessage) {
      dispatch({ type: 'unsent-state', id, client_message_id, state: 'sending' })
      try {
        const answer = await ask((line) =>
          timed(line).emitWithAck(internal ? 'staff:note' : 'staff:send-message', { id, message, client_message_id }),
        )
        dispatch({ type: 'messages', id, messages: [answer.message] })
      } catch (error) {
        dispatch({ type: 'unsent-state', id, client_message_id, state: 'failed' })
        throw error
      }
    }

    let lastTyping = 0
    return {
      load,
      open,
      deliver,
      leaveChat: () => {
        opened.current = null
      },
      async send(id: number, message: string, internal: boolean) {
        const unsent: UnsentStaffMessage = {
          client_message_id: crypto.randomUUID(),
          message,
          internal,
          written_at: new Date().toISOString(),
          state: 'sending',
        }
        dispatch({ type: 'written', id, message: unsent })
        await deliver(id, unsent)
      },
      async setAvailable(available: boolean) {
        await ask((line) => timed(line).emitWithAck('staff:availability', { available }))
        dispatch({ type: 'availability', available })
      },
      async change(event: 'staff:claim' | 'staff:close', id: number) {
        const { chat } = await ask((line) => timed(line).emitWithAck(event, { id }))
        dispatch({ type: 'chat', chat })
      },
      async transfer(id: number, userId: number) {
        const { chat } = await ask((line) => timed(line).emitWithAck('staff:transfer', { id, id_user: userId }))
        dispatch({ type: 'chat', chat })
      },
      markRead: (id: number, seq: number) => void socket.current?.emit('staff:read', { id, seq }),
      tellTyping(id: number) {
        if (Date.now() - lastTyping < typingEvery) return
        lastTyping = Date.now()
        socket.current?.emit('staff:typing', { id })
      },
    }
  }, [])

  useEffect(() => {
    const line: Socket<StaffPushes, StaffEvents> = io('/staff', { transports: ['websocket'], ...comeBack })
    socket.current = line
    let isOver = false
    line.on('connect', () => {
      dispatch({ type: 'link', link: 'up' })
      const catchUp = async () => {
        await verbs.load()
        if (opened.current !== null) await verbs.open(opened.current)
      }
      catchUp().catch((error: unknown) => console.warn(error))
    })
    line.on('connect_error', ({ message }) => {
      dispatch({ type: 'link', link: 'down' })
      if (message === 'not_connected' || message === 'forbidden') dispatch({ type: 'refused', code: message })
    })
    line.on('disconnect', (reason) => {
      if (isOver) return
      dispatch({ type: 'link', link: 'down' })
      if (reason === 'io server disconnect') setTimeout(() => !isOver && line.connect(), comeBackDelay())
    })
    line.on('staff:chat', (chat) => dispatch({ type: 'chat', chat }))
    line.on('staff:new-message', (message) => dispatch({ type: 'messages', id: message.id, messages: [message] }))
    line.on('staff:presence', (users) => dispatch({ type: 'presence', users }))
    line.on('staff:availability', ({ available }) => dispatch({ type: 'availability', available }))
    line.on('staff:closing', ({ closes_at }) => dispatch({ type: 'closing', closesAt: closes_at }))
    line.on('staff:typing', ({ id }) => dispatch({ type: 'typing', id, at: Date.now() }))
    return () => {
      isOver = true
      line.close()
    }
  }, [verbs])

  return { state, ...verbs }
}
