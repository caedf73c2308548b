import { useEffect, useRef } from 'react'

const slack = 40

/**
 * Keeps the end of a conversation in sight as `news` changes, and as what stands below takes room: a longer draft, a
 * line that tells something. Who went up to read stays there. Answers the ref of an element at the end of the list.
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
    const look = () => {
      isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < slack
    }
    const keep = new ResizeObserver(() => {
      if (isAtEnd) list.scrollTop = list.scrollHeight
    })
    list.addEventListener('scroll', look, { passive: true })
    keep.observe(list)
    return () => {
      list.removeEventListener('scroll', look)
      keep.disconnect()
    }
  }, [])
  return end
}
