import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#src/ui/components/button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { texts } from './panel-texts.ts'
import type { VisitorClient } from '../client/chat-client.ts'
import { chatMessageMax, inputClearDelay } from '../values.ts'
import { storeSession, readStored } from './visitor-storage.ts'

type PanelComposerProps = {
  client: VisitorClient
  idChat: string
  /** Beside the input: the button for files, where they are allowed. */
  extra?: ReactNode
}

export function PanelComposer({ client, idChat, extra }: PanelComposerProps) {
  const t = useTexts(texts)
  const errorId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const clearing = useRef<{ sent: string; timer: ReturnType<typeof setTimeout> }>(undefined)
  const [draft, setDraft] = useState(() => readStored().draft)
  const [isTooLong, setTooLong] = useState(false)
  const length = draft.trim().length

  useEffect(() => () => clearTimeout(clearing.current?.timer), [])

  const change = (value: string) => {
    setDraft(value)
    storeSession({ draft: value })
    if (value.trim().length <= chatMessageMax) setTooLong(false)
  }

  const send = () => {
    field.current?.focus()
    // Until the input is cleared it still holds the text that was just sent; only what was added since is new.
    const message = without(clearing.current?.sent, draft).trim()
    if (!message) return
    if (message.length > chatMessageMax) return setTooLong(true)
    clearTimeout(clearing.current?.timer)
    client.send(idChat, message)
    storeSession({ draft: '' })
    const sent = draft
    const timer = setTimeout(() => {
      clearing.current = undefined
      setDraft((now) => {
        const left = without(sent, now)
        storeSession({ draft: left })
        return left
      })
    }, inputClearDelay)
    clearing.current = { sent, timer }
  }

  return (
    <form
      className="border-t border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {isTooLong && (
        <p id={errorId} role="alert" className="mb-2 px-2 text-sm font-bold text-err">
          {t('tooLong', { count: length })}
        </p>
      )}
      <div className="flex flex-wrap items-end gap-2">
        {extra}
        <textarea
          ref={field}
          data-first=""
          rows={1}
          className="input chat-input"
          aria-label={t('write')}
          placeholder={t('write')}
          aria-invalid={isTooLong || undefined}
          aria-describedby={isTooLong ? errorId : undefined}
          value={draft}
          onChange={(event) => {
            change(event.target.value)
            if (event.target.value.trim()) client.typing(idChat)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <Button type="submit">{t('send')}</Button>
      </div>
    </form>
  )
}

function without(sent: string | undefined, text: string) {
  return sent !== undefined && text.startsWith(sent) ? text.slice(sent.length) : text
}
