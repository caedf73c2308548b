import type { RefObject } from 'react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError, requestApi, makeClientId } from '#src/ui/api.ts'
import { Button } from '#src/ui/components/button.tsx'
import { IconButton } from '#src/ui/components/icon-button.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { DownloadIcon } from '#src/ui/components/icons.tsx'
import type { UploadProgress } from '#src/ui/uploads/upload.ts'
import { contentOf, createUpload, isStopped, stopReason } from '#src/ui/uploads/upload.ts'
import { UploadBar, useLonger } from '#src/ui/uploads/upload-bar.tsx'
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

type Attempt = {
  file: File
  id: string
  failure: (typeof refusals)[keyof typeof refusals] | 'attachFailed' | 'attachStopped' | null
}
const retriable: ReadonlySet<string> = new Set(['attachFailed', 'attachLimited', 'attachStopped'])
/** Shorter uploads show no progress. */
const progressAfterMs = 2_000

type Uploads = { attempts: readonly Attempt[]; progress: UploadProgress | null }

/** Files on their way and those that failed. They outlive the part of the panel that shows them. */
function createUploads({ client }: VisitorSession) {
  const listeners = new Set<() => void>()
  let state: Uploads = { attempts: [], progress: null }
  let running: AbortController | null = null

  const set = (change: Partial<Uploads>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const drop = (id: string) => set({ attempts: state.attempts.filter((one) => one.id !== id) })
  const show = (attempt: Attempt) =>
    set({ attempts: [...state.attempts.filter((one) => one.id !== attempt.id && one.failure !== null), attempt] })
  const send = async (idChat: string, file: File, id: string) => {
    if (file.size > attachedFileMax) return show({ file, id, failure: 'attachTooLarge' })
    show({ file, id, failure: null })
    running = new AbortController()
    const { signal } = running
    try {
      const { message } = await createAttachment(idChat, id, file).run({ signal, onProgress: (progress) => set({ progress }) })
      client.receive(message)
      drop(id)
    } catch (error) {
      if (isStopped(error)) return show({ file, id, failure: 'attachStopped' })
      const status = error instanceof ApiError ? (error.status as keyof typeof refusals) : 0
      show({ file, id, failure: (status && refusals[status]) || 'attachFailed' })
    } finally {
      set({ progress: null })
    }
  }
  return {
    read: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    drop,
    send,
    stop: () => running?.abort(stopReason()),
  }
}

const uploadsBySession = new WeakMap<VisitorSession, ReturnType<typeof createUploads>>()

function useUploads(session: VisitorSession) {
  const uploads = uploadsBySession.get(session) ?? createUploads(session)
  uploadsBySession.set(session, uploads)
  return { ...uploads, ...useSyncExternalStore(uploads.subscribe, uploads.read) }
}

/** After the end: files that the conversation does not have, and those still on their way. */
export function UnsentFiles({ session }: { session: VisitorSession }) {
  const t = useTexts(panelEndingTexts)
  const { attempts } = useUploads(session)
  const sending = attempts.find((one) => one.failure === null)
  return (
    <>
      <div role="status">{sending && <p className="mb-3">{t('attaching', { name: sending.file.name })}</p>}</div>
      {attempts.map(
        ({ file, id, failure }) =>
          failure && (
            <p key={id} role="alert" className="mb-3 font-bold text-err">
              {t('attachFailed', { name: file.name })}
            </p>
          ),
      )}
    </>
  )
}

/** Sends files that are chosen, pasted or dropped on the panel, at once and in their order; a failure can be retried. */
export function PanelAttach({ session, idChat }: { session: VisitorSession; idChat: string }) {
  const t = useTexts(panelEndingTexts)
  const input = useRef<HTMLInputElement>(null)
  const link = useSyncExternalStore(session.subscribe, () => session.read().link)
  const { attempts, progress, send, drop, stop } = useUploads(session)
  const sending = attempts.find((one) => one.failure === null)
  const isLong = useLonger(progress !== null, progressAfterMs)

  const sendAll = async (files: Iterable<File>) => {
    for (const file of files) await send(idChat, file, makeClientId())
  }
  useDroppedFiles(input, (files) => void sendAll(files))

  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={attachedFileTypes}
        onChange={(event) => {
          // A copy: clearing the field empties its list.
          void sendAll([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <IconButton
        label={t('attach')}
        icon={<ClipIcon />}
        disabled={link !== 'up' || sending !== undefined}
        onClick={() => input.current?.click()}
      />
      <div role="status" className="order-first w-full">
        {sending && !isLong && <p className="px-2 text-sm text-ink-2">{t('attaching', { name: sending.file.name })}</p>}
      </div>
      {sending && isLong && progress && (
        <div className="order-first w-full px-2">
          <UploadBar name={sending.file.name} progress={progress} onStop={stop} />
        </div>
      )}
      {attempts.map(
        ({ file, id, failure }) =>
          failure && (
            <div key={id} role="alert" className="order-first w-full px-2 text-sm text-err">
              <p className="font-bold">{t(failure, { name: file.name })}</p>
              {retriable.has(failure) && (
                <Button variant="link" className="chat-retry" onClick={() => void send(idChat, file, id)}>
                  {t('retry')}
                </Button>
              )}
              <Button variant="link" className="chat-retry" onClick={() => drop(id)}>
                {t('dismiss')}
              </Button>
            </div>
          ),
      )}
    </>
  )
}

/** Files that are pasted into the panel of an element, such as a screenshot, or dropped on it. */
function useDroppedFiles(element: RefObject<HTMLElement | null>, onFiles: (files: File[]) => void) {
  const handler = useRef(onFiles)
  useEffect(() => {
    handler.current = onFiles
  })
  useEffect(() => {
    const panel = element.current?.closest<HTMLElement>('.chat-panel')
    if (!panel) return
    const leaving = new AbortController()
    const { signal } = leaving
    const mark = (isOver: boolean) => panel.classList.toggle('chat-drop', isOver)
    const take = (event: Event, data: DataTransfer | null) => {
      const files = [...(data?.files ?? [])]
      mark(false)
      if (files.length === 0) return
      event.preventDefault()
      handler.current(files)
    }
    panel.addEventListener(
      'paste',
      (event) => {
        // Office programs add a picture to a text that is copied: the text is what was meant.
        if (!event.clipboardData?.types.includes('text/plain')) take(event, event.clipboardData)
      },
      { signal },
    )
    panel.addEventListener('drop', (event) => take(event, event.dataTransfer), { signal })
    panel.addEventListener('dragleave', () => mark(false), { signal })
    panel.addEventListener(
      'dragover',
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        mark(true)
      },
      { signal },
    )
    return () => leaving.abort()
  }, [element])
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

/** A file as a message of the conversation; the same id again, after a failure, stores it once. */
const createAttachment = (idChat: string, clientMessageId: string, file: File) =>
  createUpload<{ message: ChatMessage }>([file], {
    path: chatAddress('attach'),
    purpose: null,
    body: async ([part]) =>
      JSON.stringify({
        ...{ id_chat: idChat, client_message_id: clientMessageId, name: file.name },
        ...(part && (await contentOf(part))),
      }),
    isRepeatable: true,
  })

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
  const response = await requestApi('POST', chatAddress(call), body)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: name ?? 'conversation.html' }
}
