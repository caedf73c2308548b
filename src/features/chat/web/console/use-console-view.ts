import { useEffect, useState } from 'react'
import { focusPane } from './console-pane.tsx'
import { ownChats } from './console-state.ts'
import type { StaffLine } from './staff-line.tsx'
import { useColumns } from './use-columns.ts'
import { useOpenChats } from './use-open-chats.ts'

type Part = 'list' | 'chat' | 'person'

/** Which conversations are open in the console, and which part of it a narrow screen shows. */
export function useConsoleView({ state, line, shown }: StaffLine, userId: number, attempt: (work: Promise<unknown>) => void) {
  const [part, show] = useState<Part>('list')
  const columns = useColumns()
  const own = ownChats(state.chats, userId)
  // One that is being claimed is as good as one's own: the next to be opened must not take its place.
  const {
    ids,
    current,
    add,
    remove,
    focus,
    shown: shownIn,
  } = useOpenChats((id) => line.isClaiming(id) || own.some((one) => one.id === id))
  const known = ids.flatMap((id) => state.chats.find((one) => one.id === id) ?? [])

  function open(id: number) {
    add(id)
    show('chat')
    attempt(line.open(id))
    focusPane(id)
  }
  // A call opens its conversation here instead of coming to this page.
  useEffect(() => {
    shown.current = open
    return () => {
      shown.current = null
    }
  })
  useRestored(ids, state.link === 'up', (id) => attempt(line.open(id)))

  return {
    part,
    show,
    /** One's own first, then what is only looked at. */
    order: [...new Set([...own.map((one) => one.id), ...ids])],
    own,
    known,
    current: known.find((one) => one.id === current) ?? known.at(-1),
    /** Those that are side by side. */
    inSight: shownIn(columns),
    panes: Math.max(1, Math.min(columns, known.length)),
    open,
    focus,
    putAway: (id: number) => {
      remove(id)
      line.leaveChat(id)
      if (ids.length <= 1) show('list')
    },
    leave: () => show(part === 'person' ? 'chat' : 'list'),
  }
}

/** After a reload the chats that were open are read again. */
function useRestored(ids: number[], isUp: boolean, read: (id: number) => void) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isUp || isDone) return
    setDone(true)
    for (const id of ids) read(id)
  }, [isUp, isDone, ids, read])
}
