import { useEffect, useLayoutEffect, useRef } from 'react'

const slack = 40

type StickToEnd = {
  /** Changes with what stands at the end. */
  news: string
  /** Changes where older messages came before the first. */
  first: number
  /** The news are one's own words. */
  own: boolean
  /** The beginning of what is shown was scrolled to. */
  onTop?: (() => void) | undefined
}

/**
 * Keeps the end of a conversation in sight as `news` changes, as a picture comes, and as what stands below takes room:
 * a longer draft, a line that tells something. Who went up to read stays there, unless the news are their `own` words,
 * and what they read stays where it is when older messages come above. Answers the ref of an element at the end.
 */
export function useStickToEnd({ news, first, own, onTop }: StickToEnd) {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const fromEnd = useRef(0)
  const top = useRef(onTop)
  useEffect(() => {
    top.current = onTop
  }, [onTop])
  // Before the browser paints: what is read would be seen to jump.
  useLayoutEffect(() => {
    const list = end.current?.parentElement
    if (list && !isAtEnd.current) list.scrollTop = list.scrollHeight - fromEnd.current
  }, [first])
  useEffect(() => {
    if (own) isAtEnd.current = true
    const list = end.current?.parentElement
    if (list && isAtEnd.current) list.scrollTop = list.scrollHeight
    if (list) fromEnd.current = list.scrollHeight - list.scrollTop
  }, [news, own])
  useEffect(() => {
    const list = end.current?.parentElement
    if (!list) return
    let before = 0
    const updateIsAtEnd = () => {
      const isBelow = list.scrollHeight - list.scrollTop - list.clientHeight < slack
      // What grows while it is loaded moves the end away too, but nobody went up.
      isAtEnd.current = isBelow || (isAtEnd.current && list.scrollTop >= before)
      if (list.scrollTop < slack && list.scrollTop < before) top.current?.()
      before = list.scrollTop
      fromEnd.current = list.scrollHeight - before
    }
    const keep = new ResizeObserver(() => {
      if (isAtEnd.current) list.scrollTop = list.scrollHeight
    })
    list.addEventListener('scroll', updateIsAtEnd, { passive: true })
    keep.observe(list)
    for (const part of list.children) keep.observe(part)
    return () => {
      list.removeEventListener('scroll', updateIsAtEnd)
      keep.disconnect()
    }
  }, [])
  return end
}
