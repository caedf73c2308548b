import { useEffect, useReducer, useRef, useState } from 'react'
import { createConsoleLine } from './console-line.ts'
import type { ConsoleState, ConsoleAction } from './console-state.ts'
import { emptyConsole, reduceConsole } from './console-state.ts'
import { fallBackToPolling, firstTransport } from '../client/connection.ts'
import type { StaffSocket } from './staff-socket.ts'
import type { StaffChat, StaffMessage } from '../values.ts'
import type { ConsoleLine } from './console-line.ts'

/** The technician's line to the server: it comes back by itself, and catches up when it does. None without a `userId`. */
export function useConsole(userId: number | null, onCall: (call: ConsoleCall) => void) {
  const [state, dispatch] = useReducer(reduceConsole, emptyConsole)
  const latest = useRef<ConsoleState>(state)
  const call = useRef(onCall)
  const socket = useRef<StaffSocket>(undefined)
  useEffect(() => {
    latest.current = state
    call.current = onCall
  }, [state, onCall])

  const [line] = useState(() =>
    createConsoleLine(
      () => socket.current,
      () => latest.current,
      dispatch,
    ),
  )

  useEffect(() => {
    if (userId === null) return
    let isOver = false
    let staff: StaffSocket | undefined
    // Whoever opens another screen of the administration does not wait for it.
    import('socket.io-client').then(
      ({ io }) => {
        if (isOver) return
        staff = io('/staff', {
          ...firstTransport,
          reconnectionDelay: returnDelay,
          reconnectionDelayMax: 5_000,
        })
        fallBackToPolling(staff)
        socket.current = staff
        followConsole(staff, {
          userId,
          line,
          dispatch,
          latest: () => latest.current,
          onCall: (one) => call.current(one),
          isOver: () => isOver,
        })
      },
      (error: unknown) => {
        console.warn(error)
        dispatch({ type: 'link', link: 'down' })
      },
    )

    return () => {
      isOver = true
      staff?.close()
    }
  }, [line, userId])

  return { state, line }
}

const returnDelay = 1_000

/** What a technician may want to be called for. */
export type ConsoleCall =
  | { type: 'chat'; chat: StaffChat }
  | { type: 'handed'; chat: StaffChat }
  | { type: 'message'; chat: StaffChat; message: StaffMessage }
  | { type: 'unanswered'; chat: StaffChat }

type Desk = {
  userId: number
  line: ConsoleLine
  latest: () => ConsoleState
  dispatch: (action: ConsoleAction) => void
  onCall: (call: ConsoleCall) => void
  /** The page that shows it is gone. */
  isOver: () => boolean
}

/** Keeps the console to what the server tells, and calls the technician for what is theirs to answer. */
function followConsole(staff: StaffSocket, desk: Desk) {
  const { userId, latest, line, dispatch, onCall } = desk
  const known = (id: number) => latest().chats.find((one) => one.id === id)
  followLink(staff, desk)
  staff.on('staff:chat', (chat) => {
    const before = known(chat.id)
    if (!before && chat.status === 'waiting') onCall({ type: 'chat', chat })
    const isHanded = chat.id_user === userId && before?.id_user !== userId && !line.isClaiming(chat.id)
    if (isHanded && before && chat.status === 'claimed') onCall({ type: 'handed', chat })
    dispatch({ type: 'chat', chat })
  })
  staff.on('staff:new-message', (message) => {
    const chat = known(message.id)
    if (chat?.id_user === userId && !message.bz_staff && !message.internal) onCall({ type: 'message', chat, message })
    dispatch({ type: 'messages', id: message.id, messages: [message] })
  })
  staff.on('staff:unanswered', ({ id }) => {
    const chat = known(id)
    if (chat?.status === 'waiting') onCall({ type: 'unanswered', chat })
  })
  staff.on('staff:presence', (users) => dispatch({ type: 'presence', users }))
  staff.on('staff:availability', (own) => dispatch({ type: 'availability', ...own }))
  staff.on('staff:closing', ({ closes_at }) => dispatch({ type: 'closing', closesAt: closes_at }))
  staff.on('staff:typing', ({ id }) => dispatch({ type: 'typing', id, at: Date.now() }))
  staff.on('staff:answering', ({ id, user_name }) => dispatch({ type: 'answering', id, name: user_name, at: Date.now() }))
}

function followLink(staff: StaffSocket, { line, dispatch, isOver }: Desk) {
  staff.on('connect', () => {
    dispatch({ type: 'link', link: 'up' })
    line.catchUp().catch((error: unknown) => console.warn(error))
  })
  staff.on('connect_error', ({ message }) => {
    dispatch({ type: 'link', link: 'down' })
    if (message === 'not_connected' || message === 'forbidden') dispatch({ type: 'refused', code: message })
  })
  staff.on('disconnect', (reason) => {
    if (isOver()) return
    dispatch({ type: 'link', link: 'down' })
    // A server that restarts says goodbye, and the library takes that for a farewell.
    if (reason === 'io server disconnect') setTimeout(() => !isOver() && staff.connect(), returnDelay)
  })
}
