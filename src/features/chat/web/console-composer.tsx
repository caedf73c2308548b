import type { FormEvent, KeyboardEvent } from 'react'
import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../staff-texts.ts'
import type { StaffChat } from '../values.ts'
import { chatMessageMax } from '../values.ts'

type ConsoleComposerProps = {
  chat: StaffChat
  canAnswer: boolean
  onSend: (message: string, internal: boolean) => void
  onTyping: () => void
}

/** The answer or the note being written; kept in the tab for each chat until it is sent. */
export function ConsoleComposer({ chat, canAnswer, onSend, onTyping }: ConsoleComposerProps) {
  const t = useTexts(staffTexts)
  const storageKey = `draft:chat/${chat.id}`
  const [draft, setDraft] = useState(() => sessionStorage.getItem(storageKey) ?? '')
  const [wantsNote, setWantsNote] = useState(false)
  const isNote = wantsNote || !canAnswer
  const label = isNote ? t('writeNote') : t('answer', { name: chat.client_business || chat.client_name })

  const keep = (text: string) => {
    setDraft(text)
    if (text) sessionStorage.setItem(storageKey, text)
    else sessionStorage.removeItem(storageKey)
  }
  const send = () => {
    const message = draft.trim()
    if (!message || message.length > chatMessageMax) return
    onSend(message, isNote)
    keep('')
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
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
      <textarea
        className="input"
        rows={2}
        aria-label={label}
        placeholder={label}
        value={draft}
        maxLength={chatMessageMax}
        onChange={(event) => {
          keep(event.target.value)
          if (!isNote) onTyping()
        }}
        onKeyDown={handleKey}
      />
      <div className="flex flex-wrap justify-between gap-3">
        <Button variant="quiet" size="small" aria-pressed={isNote} disabled={!canAnswer} onClick={() => setWantsNote(!wantsNote)}>
          {isNote ? t('answerMode') : t('noteMode')}
        </Button>
        <Button type="submit" size="small">
          {isNote ? t('addNote') : t('send')}
        </Button>
      </div>
    </form>
  )
}
