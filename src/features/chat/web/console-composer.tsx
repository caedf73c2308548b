import type { FormEvent, KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#src/ui/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import type { CannedReply } from '../console-contract.ts'
import { staffTexts } from '../staff-texts.ts'
import type { StaffChat } from '../values.ts'
import { chatMessageMax } from '../values.ts'
import { CannedMenu, optionId } from './canned-menu.tsx'
import { findToken, insertReply, matchReplies, textFor } from './canned.ts'
import type { Token } from './canned.ts'
import { keepDraft, readDraft } from './console-drafts.ts'
import type { ReturnedAnswer } from './console-state.ts'
import type { Canned } from './use-canned.ts'

type ConsoleComposerProps = {
  chat: StaffChat
  canAnswer: boolean
  canned: Canned
  returned: ReturnedAnswer | undefined
  onSend: (message: string, internal: boolean) => void
  onTyping: () => void
}

/** The answer or the note being written; kept in the tab for each chat until it is sent. */
export function ConsoleComposer({ chat, canAnswer, canned, returned, onSend, onTyping }: ConsoleComposerProps) {
  const t = useTexts(staffTexts)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [draft, setDraft] = useState(() => readDraft(chat.id))
  const [wantsNote, setWantsNote] = useState(false)
  const [token, setToken] = useState<Token | null>(null)
  const [chosen, setChosen] = useState(0)
  const isNote = wantsNote || !canAnswer
  const label = isNote ? t('writeNote') : t('answer', { name: chat.client_business || chat.client_name })
  const offered = token ? matchReplies(canned.replies, token.word) : []

  const keep = (text: string) => {
    setDraft(text)
    keepDraft(chat.id, text)
  }
  const readToken = (text: string, caret: number) => {
    const found = isNote ? null : findToken(text, caret)
    if (found && !token) canned.refresh()
    setToken(found)
    setChosen(0)
  }
  const send = () => {
    const message = draft.trim()
    if (!message || message.length > chatMessageMax) return
    onSend(message, isNote)
    keep('')
    setToken(null)
  }
  const pick = (reply: CannedReply) => {
    if (!token) return
    const { text, caret } = insertReply(draft, token, textFor(chat.language, reply).text)
    flushSync(() => {
      keep(text)
      setToken(null)
    })
    field.current?.focus()
    field.current?.setSelectionRange(caret, caret)
  }
  const offerAll = () => {
    const text = draft === '' || /\s$/.test(draft) ? `${draft}/` : `${draft} /`
    flushSync(() => keep(text))
    field.current?.focus()
    readToken(text, text.length)
  }
  const handleMenuKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && offered.length > 0) setChosen((chosen + step + offered.length) % offered.length)
    else if (event.key === 'Escape') setToken(null)
    else if ((event.key === 'Enter' || event.key === 'Tab') && offered[chosen]) pick(offered[chosen])
    // A shortcut that does not exist is not sent to the visitor by the same key.
    else if (event.key === 'Enter' && !event.shiftKey) setToken(null)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey) return
    if (token && handleMenuKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      setWantsNote(!wantsNote)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }

  return (
    <form className={`console-composer ${isNote ? 'bg-warn-soft' : ''}`} onSubmit={handleSubmit}>
      <div role="alert">
        {returned && !returned.isSeen && draft && (
          <p className="rounded-field bg-err-soft px-3 py-2 text-sm text-err">
            {t(returned.code === 'answered' ? 'answeredMeanwhile' : 'takenMeanwhile', {
              name: returned.userName || t('someone'),
            })}
          </p>
        )}
      </div>
      {token && <CannedMenu id={listId} offered={offered} chosen={chosen} visitor={chat.language} onPick={pick} />}
      <textarea
        ref={field}
        className="input"
        rows={2}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={token ? listId : undefined}
        aria-activedescendant={token && offered.length > 0 ? optionId(listId, chosen) : undefined}
        placeholder={label}
        value={draft}
        maxLength={chatMessageMax}
        onChange={({ target }) => {
          keep(target.value)
          readToken(target.value, target.selectionStart)
          if (!isNote) onTyping()
        }}
        onBlur={() => setToken(null)}
        onKeyDown={handleKey}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap gap-2">
          {!isNote && (
            <button type="button" className="console-chip" onMouseDown={(event) => event.preventDefault()} onClick={offerAll}>
              {t('cannedButton')}
            </button>
          )}
          <button
            type="button"
            className="console-chip"
            aria-pressed={isNote}
            disabled={!canAnswer}
            onClick={() => setWantsNote(!wantsNote)}
          >
            {t('noteMode')}
          </button>
        </span>
        <Button type="submit" size="small">
          {isNote ? t('addNote') : t('send')}
        </Button>
      </div>
    </form>
  )
}
