import { useEffect, useRef } from 'react'

const slack = 40

/**
 * Keeps the end of a conversation in sight as `news` changes, as a picture comes, and as what stands below takes room:
 * a longer draft, a line that tells something. Who went up to read stays there. Answers the ref of an element at the end of the list.
 */
export function useEndInSight(news: string) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [news])
  useEffect(() => {
    const list = end.current?.parentElement
    if (!list) return
    let isAtEnd = true
    let top = 0
    const look = () => {
      const isBelow = list.scrollHeight - list.scrollTop - list.clientHeight < slack
      // What grows while it is loaded moves the end away too, but nobody went up.
      isAtEnd = isBelow || (isAtEnd && list.scrollTop >= top)
      top = list.scrollTop
    }
    const keep = new ResizeObserver(() => {
      if (isAtEnd) list.scrollTop = list.scrollHeight
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
