import { useEffect, useLayoutEffect, useRef } from 'react'

const slack = 40

type StickToEnd = {
  /** Key of the last item; changes when something is added at the end. */
  news: string
  /** Key of the first item; changes when older messages are loaded above. */
  first: number
  /** The last item is the user's own message. */
  own: boolean
  /** Called when the user scrolled to the top. */
  onTop?: (() => void) | undefined
}

/**
 * Keeps the end of a conversation visible as `news` changes, as images load and as the space below grows. A reader who scrolled
 * up stays there, unless the new message is their `own`; older messages loaded above do not move what they read. Returns the
 * ref of an element at the end.
 */
export function useStickToEnd({ news, first, own, onTop }: StickToEnd) {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const fromEnd = useRef(0)
  const top = useRef(onTop)
  useEffect(() => {
    top.current = onTop
  }, [onTop])
  // A layout effect: after the paint the text would visibly jump.
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
      // Content that grows while loading also moves the end, although the reader did not scroll.
      isAtEnd.current = isBelow || (isAtEnd.current && list.scrollTop >= before)
      if (list.scrollTop < slack && list.scrollTop < before) top.current?.()
      before = list.scrollTop
      fromEnd.current = list.scrollHeight - before
    }
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) list.scrollTop = list.scrollHeight
    })
    list.addEventListener('scroll', updateIsAtEnd, { passive: true })
    observer.observe(list)
    for (const part of list.children) observer.observe(part)
    return () => {
      list.removeEventListener('scroll', updateIsAtEnd)
      observer.disconnect()
    }
  }, [])
  return end
}
