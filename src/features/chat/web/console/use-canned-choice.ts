import type { KeyboardEvent, RefObject } from 'react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Language } from '#src/lib/language.ts'
import type { CannedReply } from '../../console-contract.ts'
import { findToken, insertReply, matchReplies, textFor } from './canned.ts'
import type { Token } from './canned.ts'
import type { Canned } from './use-canned.ts'

type Writing = {
  field: RefObject<HTMLTextAreaElement | null>
  draft: string
  keep: (text: string) => void
  /** The visitor's, in which a reply is put. */
  language: Language
  isNote: boolean
}

/** The replies that are offered while a shortcut such as `/merci` is written, and the one that is chosen by the keys. */
export function useCannedChoice(canned: Canned, { field, draft, keep, language, isNote }: Writing) {
  const [token, setToken] = useState<Token | null>(null)
  const [chosen, setChosen] = useState(0)
  const offered = token ? matchReplies(canned.replies, token.word) : []

  const read = (text: string, caret: number) => {
    const found = isNote ? null : findToken(text, caret)
    if (found && !token) canned.refresh()
    setToken(found)
    setChosen(0)
  }
  const dismiss = () => setToken(null)
  const pick = (reply: CannedReply) => {
    if (!token) return
    const { text, caret } = insertReply(draft, token, textFor(language, reply).text)
    flushSync(() => {
      keep(text)
      dismiss()
    })
    field.current?.focus()
    field.current?.setSelectionRange(caret, caret)
  }

  return {
    isOpen: token !== null,
    offered,
    chosen,
    read,
    dismiss,
    pick,
    offerAll() {
      const text = draft === '' || /\s$/.test(draft) ? `${draft}/` : `${draft} /`
      flushSync(() => keep(text))
      field.current?.focus()
      read(text, text.length)
    },
    /** True where the key was for the list. */
    handleKey(event: KeyboardEvent) {
      if (!token) return false
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0 && offered.length > 0) setChosen((chosen + step + offered.length) % offered.length)
      else if (event.key === 'Escape') dismiss()
      else if ((event.key === 'Enter' || event.key === 'Tab') && offered[chosen]) pick(offered[chosen])
      // A shortcut that does not exist is not sent to the visitor by the same key.
      else if (event.key === 'Enter' && !event.shiftKey) dismiss()
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
