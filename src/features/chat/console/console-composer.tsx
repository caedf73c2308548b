import type { FormEvent, KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { consoleTexts } from './console-texts.ts'
import type { StaffChat } from '../protocol.ts'
import type { StaffClient } from '../client/chat-client.ts'
import { chatMessageMax } from '../values.ts'
import { CannedMenu, optionId, useCannedChoice } from './canned-replies.tsx'
import { isNoteDraft, storeDraft, readDraft } from './drafts.ts'
import type { ReturnedAnswer } from './console-state.ts'
import type { Canned } from './canned-replies.tsx'

type ConsoleComposerProps = {
  client: StaffClient
  chat: StaffChat
  canAnswer: boolean
  canned: Canned
  returned: ReturnedAnswer | undefined
}

/** Writes an answer or a note; the draft of each chat is stored in the tab. */
export function ConsoleComposer({ client, chat, canAnswer, canned, returned }: ConsoleComposerProps) {
  const t = useTexts(consoleTexts)
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [draft, setDraft] = useState(() => readDraft(chat.id))
  const [wantsNote, setWantsNote] = useState(() => isNoteDraft(chat.id))
  const [isReturnedRead, setReturnedRead] = useState(false)
  const isNote = wantsNote || !canAnswer
  const label = isNote ? t('writeNote') : t('answer', { name: chat.client_business || chat.client_name })

  const keep = (text: string) => {
    setDraft(text)
    storeDraft(chat.id, text, isNote)
    // A note stays a note when the chat is claimed meanwhile.
    if (!canAnswer) setWantsNote(text !== '')
  }
  const toggleNote = () => {
    setWantsNote(!wantsNote)
    storeDraft(chat.id, draft, !wantsNote)
  }
  const choice = useCannedChoice(canned, { field, draft, keep, language: chat.language, isNote })
  const send = () => {
    const message = draft.trim()
    if (!message || message.length > chatMessageMax) return
    // The last message its writer saw: a colleague's answer after it refuses this one.
    const after_seq = client.conversation(chat.id).messages.at(-1)?.seq ?? 0
    client.send(chat.id, message, isNote ? { internal: true } : { after_seq })
    setReturnedRead(true)
    keep('')
    choice.dismiss()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || choice.handleKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (canAnswer) toggleNote()
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }

  return (
    <form className={`console-composer ${isNote ? 'bg-warn-soft' : ''}`} onSubmit={handleSubmit}>
      <div role="alert">{returned && !isReturnedRead && draft && <ReturnedLine returned={returned} />}</div>
      {choice.isOpen && (
        <CannedMenu id={listId} offered={choice.offered} chosen={choice.chosen} visitor={chat.language} onPick={choice.pick} />
      )}
      <textarea
        ref={field}
        className="input"
        rows={2}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={choice.isOpen ? listId : undefined}
        aria-activedescendant={choice.offered.length > 0 ? optionId(listId, choice.chosen) : undefined}
        placeholder={label}
        value={draft}
        maxLength={chatMessageMax}
        onChange={({ target }) => {
          keep(target.value)
          choice.read(target.value, target.selectionStart)
          if (!isNote) client.typing(chat.id)
        }}
        onBlur={choice.dismiss}
        onKeyDown={handleKey}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap gap-2">
          {!isNote && (
            <button
              type="button"
              className="console-chip"
              onMouseDown={(event) => event.preventDefault()}
              onClick={choice.offerAll}
            >
              {t('cannedButton')}
            </button>
          )}
          <button type="button" className="console-chip" aria-pressed={isNote} disabled={!canAnswer} onClick={toggleNote}>
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

/** Why a refused answer is in the input again. */
function ReturnedLine({ returned: { code, userName } }: { returned: ReturnedAnswer }) {
  const t = useTexts(consoleTexts)
  return (
    <p className="rounded-field bg-err-soft px-3 py-2 text-sm text-err">
      {t(code === 'answered' ? 'answeredMeanwhile' : 'takenMeanwhile', { name: userName || t('someone') })}
    </p>
  )
}
