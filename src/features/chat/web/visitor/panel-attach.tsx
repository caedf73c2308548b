import { useRef, useState } from 'react'
import { ApiError } from '#src/ui/api.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { afterTexts } from '../../after-texts.ts'
import { attachedFileMax, attachedFileTypes } from '../../values.ts'
import { ClipIcon } from './panel-icons.tsx'
import type { VisitorChat } from './visitor-chat.ts'
import { attachFile } from './visitor-files.ts'

const refusals = {
  400: 'attachTooLarge',
  403: 'attachOff',
  409: 'attachFull',
  413: 'attachTooLarge',
  415: 'attachWrongType',
  422: 'attachUnreadable',
  429: 'attachLimited',
} as const

type Attempt = { file: File; id: string; failure: (typeof refusals)[keyof typeof refusals] | 'attachFailed' | null }

/** Chooses a file and sends it at once; what does not leave can be tried again. */
export function PanelAttach({ chat, idChat }: { chat: VisitorChat; idChat: string }) {
  const t = useTexts(afterTexts)
  const input = useRef<HTMLInputElement>(null)
  const [attempt, setAttempt] = useState<Attempt | null>(null)

  const send = async (file: File, id: string) => {
    if (file.size > attachedFileMax) return setAttempt({ file, id, failure: 'attachTooLarge' })
    setAttempt({ file, id, failure: null })
    try {
      chat.receive(await attachFile(idChat, id, file))
      setAttempt(null)
    } catch (error) {
      const status = error instanceof ApiError ? (error.status as keyof typeof refusals) : 0
      setAttempt({ file, id, failure: (status && refusals[status]) || 'attachFailed' })
    }
  }

  const name = attempt?.file.name ?? ''
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={attachedFileTypes}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void send(file, crypto.randomUUID())
          event.target.value = ''
        }}
      />
      <IconButton
        label={t('attach')}
        icon={<ClipIcon />}
        disabled={attempt !== null && attempt.failure === null}
        onClick={() => input.current?.click()}
      />
      <div role="status" className="order-first w-full">
        {attempt && !attempt.failure && <p className="px-2 text-sm text-ink-2">{t('attaching', { name })}</p>}
      </div>
      {attempt?.failure && (
        <div role="alert" className="order-first w-full px-2 text-sm text-err">
          <p className="font-bold break-words">{t(attempt.failure, { name })}</p>
          {(attempt.failure === 'attachFailed' || attempt.failure === 'attachLimited') && (
            <Button variant="link" className="chat-retry" onClick={() => void send(attempt.file, attempt.id)}>
              {t('retry')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
