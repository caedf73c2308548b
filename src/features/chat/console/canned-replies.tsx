import { useCallback, useEffect, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { flushSync } from 'react-dom'
import { getJson } from '#src/ui/api.ts'
import type { Language } from '#src/lib/language/language.ts'
import { Badge } from '#src/ui/components/badge.tsx'
import { locales } from '#src/lib/language/language.ts'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { searchable } from '#src/lib/lists.ts'
import type { CannedReply, ChatAvailability } from '../contract.ts'
import { consoleTexts } from './console-texts.ts'

/** The canned replies with the hours of the chat for their variables; `refresh` loads those that colleagues added. */
export function useCanned(isWanted: boolean) {
  const [replies, setReplies] = useState<CannedReply[]>([])
  const [week, setWeek] = useState<ChatAvailability['hours']['week']>([])
  /** Conversations in which nothing is suggested. */
  const [unsuggested, setUnsuggested] = useState<readonly number[]>([])
  const refresh = useCallback(() => {
    if (!isWanted) return
    getJson<CannedReply[]>('/api/chat/canned_replies').then(setReplies, (error: unknown) => console.warn(error))
    getJson<ChatAvailability>('/public_api/chat/available-users').then(
      ({ hours }) => setWeek(hours.week),
      (error: unknown) => console.warn(error),
    )
  }, [isWanted])
  useEffect(refresh, [refresh])
  const stopSuggesting = (id: number) => setUnsuggested((before) => [...before, id])
  return { replies, week, refresh, unsuggested, stopSuggesting }
}

export type Canned = ReturnType<typeof useCanned>

type Writing = {
  field: RefObject<HTMLTextAreaElement | null>
  draft: string
  keep: (text: string) => void
  /** The visitor's: the reply is inserted in it. */
  language: Language
  /** Fills the variables of a reply. */
  fill: (text: string) => string
}

/** The replies offered while a shortcut such as `/merci` is typed, and the one selected by the keyboard. */
export function useCannedChoice(canned: Canned, { field, draft, keep, language, fill }: Writing) {
  const [token, setToken] = useState<Token | null>(null)
  const [chosen, setChosen] = useState(0)
  const offered = token ? matchReplies(canned.replies, token.word) : []

  const read = (text: string, caret: number) => {
    const found = findToken(text, caret)
    if (found && !token) canned.refresh()
    setToken(found)
    setChosen(0)
  }
  const dismiss = () => setToken(null)
  const pick = (reply: CannedReply) => {
    if (!token) return
    const { text, caret } = insertReply(draft, token, fill(textFor(language, reply).text))
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
    /** Returns whether the list handled the key. */
    handleKey(event: KeyboardEvent) {
      if (!token) return false
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0 && offered.length > 0) setChosen((chosen + step + offered.length) % offered.length)
      else if (event.key === 'Escape') dismiss()
      else if ((event.key === 'Enter' || event.key === 'Tab') && offered[chosen]) pick(offered[chosen])
      // Enter after an unknown shortcut must not send it to the visitor.
      else if (event.key === 'Enter' && !event.shiftKey) dismiss()
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}

type CannedMenuProps = {
  id: string
  offered: CannedReply[]
  chosen: number
  /** The language of the visitor. */
  visitor: Language
  onPick: (reply: CannedReply) => void
}

/** The listbox of replies; the input keeps the focus (`aria-activedescendant`). */
export function CannedMenu({ id, offered, chosen, visitor, onPick }: CannedMenuProps) {
  const t = useTexts(consoleTexts)
  const language = useLanguage()
  return (
    <div className="console-canned">
      <p role="status" className={offered.length > 0 ? 'sr-only' : 'p-3 text-sm text-ink-2'}>
        {offered.length > 0 ? t('cannedOffered', { count: offered.length }) : t('cannedNone')}
      </p>
      <div id={id} role="listbox" aria-label={t('canned')}>
        {offered.map((reply, index) => {
          const { text, language: written } = textFor(visitor, reply)
          return (
            <div
              key={reply.id_canned}
              id={optionId(id, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className="console-canned-option"
              // The input must not lose the focus before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(reply)}
            >
              <span className="font-bold">{`/${reply.shortcut}`}</span>
              <span className="console-excerpt text-ink-2" lang={written === language ? undefined : locales[written]}>
                {text}
              </span>
              {written !== visitor && <Badge tone="warn">{t('cannedFrenchOnly')}</Badge>}
            </div>
          )
        })}
      </div>
      <Link
        to="/admin/chat/replies"
        className="block p-2 text-sm text-brand underline"
        onMouseDown={(event) => event.preventDefault()}
      >
        {t('cannedManage')}
      </Link>
    </div>
  )
}

export const optionId = (listId: string, index: number) => `${listId}-${index}`

/** A shortcut being typed: the position of its slash, and the text up to the caret. */
type Token = { from: number; word: string }

const mostOffered = 8

export function findToken(text: string, caret: number): Token | null {
  const found = /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret))
  const word = found?.[1]
  return word === undefined ? null : { from: caret - word.length - 1, word }
}

/** Replies whose shortcut starts with the word, then those that contain it. */
export function matchReplies(replies: readonly CannedReply[], word: string) {
  const wanted = searchable(word)
  const begins = (one: CannedReply) => searchable(one.shortcut).startsWith(wanted)
  const speaks = (one: CannedReply) => searchable(`${one.shortcut} ${one.reply} ${one.reply_en}`).includes(wanted)
  return [...replies.filter(begins), ...replies.filter((one) => !begins(one) && speaks(one))].slice(0, mostOffered)
}

export function insertReply(text: string, { from, word }: Token, reply: string) {
  const caret = from + reply.length
  return { text: text.slice(0, from) + reply + text.slice(from + 1 + word.length), caret }
}

/** The reply in the visitor's language; French where there is no English. */
export function textFor(visitor: Language, { reply, reply_en: english }: CannedReply): { text: string; language: Language } {
  return visitor === 'en' && english.trim() ? { text: english, language: 'en' } : { text: reply, language: 'fr' }
}

/** `{prenom}`, `{technicien}`, `{reference}`, `{heures}`: what is not known stays, for the technician to see. */
export function fillReply(text: string, values: Record<'prenom' | 'technicien' | 'reference' | 'heures', string>) {
  return text.replaceAll(
    /\{(prenom|technicien|reference|heures)\}/g,
    (variable, name: keyof typeof values) => values[name] || variable,
  )
}
