import { useEffect, useState, useCallback, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import { focusPane } from './console-panes.tsx'
import { ownChats } from './console-state.ts'
import type { StaffChatContext } from './staff-chat.tsx'
import { storeOpenChats, readDraft, readOpenChats } from './drafts.ts'

type Part = 'list' | 'chat' | 'person'

/** Which conversations are open in the console, and which part of it a narrow screen shows. */
export function useConsoleView({ state, session, openInConsole }: StaffChatContext, userId: number) {
  const { client } = session
  const [part, show] = useState<Part>('list')
  const columns = useColumns()
  const own = ownChats(state.chats, userId)
  // A chat that is being claimed counts as one's own: the next one must not replace it.
  const {
    ids,
    current,
    add,
    remove,
    focus,
    shown: shownIn,
  } = useOpenChats((id) => session.isClaiming(id) || own.some((one) => one.id === id))
  const openChats = ids.flatMap((id) => state.chats.find((one) => one.id === id) ?? [])

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
    /** One's own first, then those that are only open. */
    order: [...new Set([...own.map((one) => one.id), ...ids])],
    own,
    openChats,
    current: openChats.find((one) => one.id === current) ?? openChats.at(-1),
    /** Ids of the visible ones. */
    visible: shownIn(columns),
    panes: Math.max(1, Math.min(columns, openChats.length)),
    open,
    focus,
    close: (id: number) => {
      remove(id)
      client.leave(id)
      if (ids.length <= 1) show('list')
    },
    leave: () => show(part === 'person' ? 'chat' : 'list'),
  }
}

/** Opens the chats again that were open before a reload. */
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
 * The chats that are open in the console. One's own stay open until they are closed; another one
 * is replaced by the next, unless it has a draft.
 */
function useOpenChats(isOwn: (id: number) => boolean) {
  const [query, setQuery] = useSearchParams()
  const linked = Number(query.get('chat')) || null
  const [open, setOpen] = useState<Open>(() => {
    const ids = [...new Set([...readOpenChats(), ...(linked ? [linked] : [])])]
    return { ids, recent: ids.toReversed() }
  })
  const { ids, recent } = open
  const current = recent[0] ?? null

  useEffect(() => storeOpenChats(ids), [ids])
  useEffect(() => {
    // The query opens the chat of a link once; a reload restores what is open then.
    if (linked) setQuery({}, { replace: true })
  }, [linked, setQuery])

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
    /** The visible ones in so many columns. */
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

/** The width from which so many conversations fit. */
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
