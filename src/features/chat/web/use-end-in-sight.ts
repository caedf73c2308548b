import { useEffect, useRef } from 'react'

const slack = 40

/**
 * Keeps the end of a conversation in sight as `news` changes, as a picture comes, and as what stands below takes room:
 * a longer draft, a line that tells something. Who went up to read stays there, unless the news are their `own` words.
 * Answers the ref of an element at the end of the list.
 */
export function useEndInSight(news: string, own: boolean) {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (own) isAtEnd.current = true
    const list = end.current?.parentElement
    if (list && isAtEnd.current) list.scrollTop = list.scrollHeight
  }, [news, own])
  useEffect(() => {
    const list = end.current?.parentElement
    if (!list) return
    let top = 0
    const look = () => {
      const isBelow = list.scrollHeight - list.scrollTop - list.clientHeight < slack
      // What grows while it is loaded moves the end away too, but nobody went up.
      isAtEnd.current = isBelow || (isAtEnd.current && list.scrollTop >= top)
      top = list.scrollTop
    }
    const keep = new ResizeObserver(() => {
      if (isAtEnd.current) list.scrollTop = list.scrollHeight
    })
    list.addEventListener('scroll', look, { passive: true })
    keep.observe(list)
    for (const part of list.children) keep.observe(part)
    return () => {
      list.removeEventListener('scroll', look)
      keep.disconnect()
    }
  }, [])
  return end
}
