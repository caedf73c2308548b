import { useRef, useState, useEffect } from 'react'
import { ApiError, callApi } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { DownloadIcon } from '#src/ui/components/icons.tsx'
import { readCookie } from '#src/ui/storage.ts'
import { panelEndingTexts } from './panel-ending-texts.ts'
import { attachedFileMax, attachedFileTypes } from '../values.ts'
import { ClipIcon } from './panel-head.tsx'
import type { VisitorSession } from './visitor-session.ts'
import type { AttachedFile, ChatMessage } from '../protocol.ts'
import { chatAddress } from './chat-host.ts'

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

/** Chooses a file and sends it at once; a failure can be retried. */
export function PanelAttach({ session, idChat }: { session: VisitorSession; idChat: string }) {
  const t = useTexts(panelEndingTexts)
  const input = useRef<HTMLInputElement>(null)
  const [attempt, setAttempt] = useState<Attempt | null>(null)

  const send = async (file: File, id: string) => {
    if (file.size > attachedFileMax) return setAttempt({ file, id, failure: 'attachTooLarge' })
    setAttempt({ file, id, failure: null })
    try {
      session.client.receive(await attachFile(idChat, id, file))
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

/** A file of the conversation: a picture is shown, anything else is a download. */
export function PanelFile({ idChat, file }: { idChat: string; file: AttachedFile }) {
  const t = useTexts(panelEndingTexts)
  const [picture, setPicture] = useState<string | null>(null)
  const [stage, setStage] = useState<'idle' | 'busy' | 'failed'>('idle')
  const { id_file: idFile, name, type, size } = file
  const isPicture = type.startsWith('image/')

  useEffect(() => {
    if (!isPicture) return
    let address: string | undefined
    let isGone = false
    fetchAttached(idChat, idFile).then(
      ({ blob }) => {
        if (isGone) return
        address = URL.createObjectURL(blob)
        setPicture(address)
      },
      () => !isGone && setStage('failed'),
    )
    return () => {
      isGone = true
      if (address) URL.revokeObjectURL(address)
    }
  }, [idChat, idFile, isPicture])

  const save = async () => {
    setStage('busy')
    try {
      saveBlob((await fetchAttached(idChat, idFile)).blob, name)
      setStage('idle')
    } catch {
      setStage('failed')
    }
  }

  return (
    <>
      {picture && <img src={picture} alt={t('picture', { name })} />}
      <Button variant="link" className="chat-retry" busy={stage === 'busy'} onClick={() => void save()}>
        <DownloadIcon />
        {t('open', { name })} ({t('size', { count: Math.max(1, Math.round(size / 1_024)) })})
      </Button>
      {stage === 'failed' && <p role="alert">{t('openFailed')}</p>}
    </>
  )
}

/** Sends a file as a message of the conversation; the same id again, after a failure, stores it once. */
async function attachFile(idChat: string, clientMessageId: string, file: File): Promise<ChatMessage> {
  const input = { id_chat: idChat, client_message_id: clientMessageId, name: file.name, data: await toBase64(file) }
  const { message } = await callApi<{ message: ChatMessage }>('POST', chatAddress('attach'), input)
  return message
}

const fetchAttached = (idChat: string, idFile: number) => fetchBlob('file', { id_chat: idChat, id_file: idFile })

export async function saveTranscript(idChat: string, language: string) {
  const { blob, name } = await fetchBlob('transcript-page', { id_chat: idChat, language })
  saveBlob(blob, name)
}

function saveBlob(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The download has started long before; then the bytes may go.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

async function fetchBlob(call: string, body: object) {
  const address = chatAddress(call)
  const isOwn = address.startsWith('/')
  const token = isOwn ? readCookie('XSRF-TOKEN') : undefined
  const response = await fetch(address, {
    method: 'POST',
    credentials: isOwn ? 'include' : 'omit',
    headers: { 'content-type': 'application/json', ...(token ? { 'x-xsrf-token': token } : {}) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: name ?? 'conversation.html' }
}

function toBase64(file: File) {
  return new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })
}
