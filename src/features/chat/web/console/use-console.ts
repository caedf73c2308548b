import { useEffect, useReducer, useRef, useState } from 'react'
import { createConsoleLine } from './console-line.ts'
import type { ConsoleState } from './console-state.ts'
import { emptyConsole, reduceConsole } from './console-state.ts'
import type { ConsoleCall } from './follow-console.ts'
import { fallBackToPolling, firstTransport } from '../polling-fallback.ts'
import { followConsole, returnDelay } from './follow-console.ts'
import type { StaffSocket } from './staff-socket.ts'

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
