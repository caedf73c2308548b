import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { keepOpenChats, readDraft, readOpenChats } from './console-drafts.ts'

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
export function useOpenChats(isOwn: (id: number) => boolean) {
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
