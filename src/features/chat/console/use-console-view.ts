import { useEffect, useState, useCallback, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import { focusPane } from './console-panes.tsx'
import { ownChats } from './console-state.ts'
import type { StaffChatContext } from './staff-chat.tsx'
import { keepOpenChats, readDraft, readOpenChats } from './drafts.ts'

type Part = 'list' | 'chat' | 'person'

/** Which conversations are open in the console, and which part of it a narrow screen shows. */
export function useConsoleView({ state, session, openInConsole }: StaffChatContext, userId: number) {
  const { client } = session
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
  } = useOpenChats((id) => session.isClaiming(id) || own.some((one) => one.id === id))
  const known = ids.flatMap((id) => state.chats.find((one) => one.id === id) ?? [])

  function open(id: number) {
    add(id)
    show('chat')
    void client.open(id)
    focusPane(id)
  }
  // An alert opens its conversation here instead of loading this page.
  useEffect(() => {
    openInConsole.current = open
    return () => {
      openInConsole.current = null
    }
  })
  useRestored(ids, state.link === 'up', (id) => void client.open(id))

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
      client.leave(id)
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

type Open = {
  /** In the order of opening. */
  ids: number[]
  /** The last used first. */
  recent: number[]
}

/**
 * The chats that are open in the console. One's own stay until they are put away; one that was only looked at
 * gives its place to the next, unless something is being written in it.
 */
function useOpenChats(isOwn: (id: number) => boolean) {
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('chat')) || null
  const [open, setOpen] = useState<Open>(() => {
    const ids = [...new Set([...readOpenChats(), ...(asked ? [asked] : [])])]
    return { ids, recent: ids.toReversed() }
  })
  const { ids, recent } = open
  const current = recent[0] ?? null

  useEffect(() => keepOpenChats(ids), [ids])
  useEffect(() => {
    // The address names one chat for who follows a link; the next reload finds what was open then.
    if (asked) setQuery({}, { replace: true })
  }, [asked, setQuery])

  const focus = useCallback(
    (id: number) =>
      setOpen((before) =>
        before.recent[0] === id ? before : { ...before, recent: [id, ...before.recent.filter((one) => one !== id)] },
      ),
    [],
  )

  return {
    ids,
    current,
    /** Those that are in sight where there is room for so many. */
    shown: (columns: number) => ids.filter((id) => recent.slice(0, columns).includes(id)),
    focus,
    add(id: number) {
      setOpen((before) => {
        const kept = before.ids.filter((one) => one === id || isOwn(one) || readDraft(one) !== '')
        const next = kept.includes(id) ? kept : [...kept, id]
        return { ids: next, recent: [id, ...before.recent.filter((one) => one !== id && next.includes(one))] }
      })
    },
    remove(id: number) {
      setOpen((before) => ({
        ids: before.ids.filter((one) => one !== id),
        recent: before.recent.filter((one) => one !== id),
      }))
    },
  }
}

/** From which width on so many conversations stand side by side. */
const widths: [columns: number, query: string][] = [
  [4, '(width >= 150rem)'],
  [3, '(width >= 112rem)'],
  [2, '(width >= 86rem)'],
]

function useColumns() {
  return useSyncExternalStore(subscribe, read, () => 1)
}

function read() {
  return widths.find(([, query]) => matchMedia(query).matches)?.[0] ?? 1
}

function subscribe(listener: () => void) {
  const lists = widths.map(([, query]) => matchMedia(query))
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    for (const list of lists) list.removeEventListener('change', listener)
  }
}
