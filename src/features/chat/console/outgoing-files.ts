import { ApiError, makeClientId } from '#src/ui/api.ts'
import type { Upload, UploadProgress } from '#src/ui/uploads/upload.ts'
import { contentOf, createUpload, isStopped, stopReason } from '#src/ui/uploads/upload.ts'
import type { StaffMessage } from '../protocol.ts'
import { attachedFileMax } from '../values.ts'

/** Why a file was not sent: a key of `composerFileTexts`. */
export type FileRefusal =
  | 'fileTooLarge'
  | 'fileWrongType'
  | 'fileUnreadable'
  | 'fileLimit'
  | 'fileLimited'
  | 'fileNotYours'
  | 'fileForbidden'
  | 'fileSignedOut'
  | 'fileFailed'

/** A file that was chosen, pasted or dropped, until the server has it. */
export type OutgoingFile = {
  /** Under one id the server stores it once. */
  clientMessageId: string
  file: File
  state: 'ready' | 'sending' | 'stopped' | FileRefusal
  /** While it is sent. */
  progress: UploadProgress | null
}

/** The same file would be refused again. */
const finalRefusals: ReadonlySet<OutgoingFile['state']> = new Set([
  'fileTooLarge',
  'fileWrongType',
  'fileUnreadable',
  'fileLimit',
  'fileForbidden',
])
export const isRefused = ({ state }: OutgoingFile) => finalRefusals.has(state)
export const canRetry = (one: OutgoingFile) => one.state !== 'ready' && one.state !== 'sending' && !isRefused(one)

type Sent = Upload<{ message: StaffMessage }>
type CreateUpload = (id: number, input: Pick<OutgoingFile, 'clientMessageId' | 'file'>) => Sent

/** Files on their way out, by conversation. In memory: they are too large for the storage of drafts. */
export function createOutgoingFiles(createOne: CreateUpload, onSent: (message: StaffMessage) => void) {
  const files = new Map<number, readonly OutgoingFile[]>()
  /** What the server may have a part of, by the id of its message. */
  const uploads = new Map<string, Sent>()
  const running = new Map<string, AbortController>()
  const listeners = new Set<() => void>()
  const read = (id: number) => files.get(id) ?? none
  const write = (id: number, next: readonly OutgoingFile[]) => {
    files.set(id, next)
    for (const listener of listeners) listener()
  }
  const remove = (id: number, clientMessageId: string) => {
    uploads.get(clientMessageId)?.discard()
    uploads.delete(clientMessageId)
    write(
      id,
      read(id).filter((one) => one.clientMessageId !== clientMessageId),
    )
  }
  const change = (id: number, clientMessageId: string, changes: Partial<OutgoingFile>) =>
    write(
      id,
      read(id).map((one) => (one.clientMessageId === clientMessageId ? { ...one, ...changes } : one)),
    )

  /** One after the other, so that they arrive in the order in which they were added. */
  async function send(id: number) {
    if (read(id).some(({ state }) => state === 'sending')) return
    const next = read(id).find((one) => one.state === 'ready')
    if (!next) return
    const { clientMessageId } = next
    const upload = uploads.get(clientMessageId) ?? createOne(id, next)
    uploads.set(clientMessageId, upload)
    const controller = new AbortController()
    running.set(clientMessageId, controller)
    change(id, clientMessageId, { state: 'sending', progress: null })
    try {
      const { message } = await upload.run({
        signal: controller.signal,
        onProgress: (progress) => change(id, clientMessageId, { progress }),
      })
      remove(id, clientMessageId)
      onSent(message)
    } catch (error) {
      if (!isStopped(error)) console.warn(error)
      const state = isStopped(error) ? 'stopped' : refusalOf(error)
      change(id, clientMessageId, { state, progress: null })
      // A full conversation takes none of the others either.
      if (state === 'fileLimit')
        write(
          id,
          read(id).map((one) => (one.state === 'ready' ? { ...one, state } : one)),
        )
    } finally {
      running.delete(clientMessageId)
    }
    await send(id)
  }

  return {
    read,
    add(id: number, added: readonly File[]) {
      const fresh = added.map((file): OutgoingFile => {
        const state = file.size > attachedFileMax ? 'fileTooLarge' : 'ready'
        return { clientMessageId: makeClientId(), file, state, progress: null }
      })
      if (fresh.length > 0) write(id, [...read(id), ...fresh])
    },
    remove,
    /** All that would be refused again. */
    removeRefused(id: number) {
      for (const { clientMessageId } of read(id).filter(isRefused)) remove(id, clientMessageId)
    },
    /** Those that wait; the ones that failed wait for `retry`. */
    send: (id: number) => void send(id),
    stop: (clientMessageId: string) => running.get(clientMessageId)?.abort(stopReason()),
    retry(id: number, clientMessageId: string) {
      change(id, clientMessageId, { state: 'ready' })
      void send(id)
    },
    has: (id: number) => read(id).length > 0,
    count: () => [...files.values()].reduce((sum, all) => sum + all.length, 0),
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export type OutgoingFiles = ReturnType<typeof createOutgoingFiles>

const none: readonly OutgoingFile[] = []

const refusals: Record<number, FileRefusal> = {
  400: 'fileTooLarge',
  401: 'fileSignedOut',
  403: 'fileForbidden',
  404: 'fileNotYours',
  409: 'fileNotYours',
  413: 'fileTooLarge',
  415: 'fileWrongType',
  422: 'fileUnreadable',
  429: 'fileLimited',
}

function refusalOf(error: unknown): FileRefusal {
  if (!(error instanceof ApiError)) return 'fileFailed'
  if (error.status === 409 && error.problem.title === 'Too many files') return 'fileLimit'
  return refusals[error.status] ?? 'fileFailed'
}

/** A file as a message of the conversation. */
export const createFileUpload: CreateUpload = (id, { clientMessageId, file }) =>
  createUpload<{ message: StaffMessage }>([file], {
    path: '/api/chat/files',
    purpose: 'chat_files',
    body: async ([part]) =>
      JSON.stringify({
        ...{ id_chat: id, client_message_id: clientMessageId, name: file.name },
        ...(part && (await contentOf(part))),
      }),
    isRepeatable: true,
  })
