import { useEffect, useState } from 'react'
import type { StaffChat } from '../../values.ts'
import type { ConsoleLine } from './console-line.ts'

const typingPause = 300
const shortest = 2

export type Found = { words: string; chats: StaffChat[]; more: boolean }

/** Looks in the whole history for what is typed; null while nothing is. */
export function useSearch(line: ConsoleLine, onFailure: (error: unknown) => void) {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const wanted = words.trim()
  useEffect(() => {
    if (wanted.length < shortest) return setFound(null)
    let isOver = false
    const timer = setTimeout(() => {
      line.search(wanted).then(
        ({ chats, more }) => !isOver && setFound({ words: wanted, chats, more }),
        (error: unknown) => !isOver && onFailure(error),
      )
    }, typingPause)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [wanted, line, onFailure])
  return { words, setWords, found, isOn: wanted.length >= shortest }
}
