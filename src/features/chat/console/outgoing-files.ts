import { ApiError } from '#src/ui/api.ts'
import { apiAddress } from '#src/ui/hosts.ts'
import { readCookie } from '#src/ui/storage.ts'
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
  state: 'ready' | 'sending' | FileRefusal
  /** From 0 to 1, as far as the browser knows. */
  progress: number
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

export type Upload = (
  id: number,
  input: { clientMessageId: string; file: File },
  onProgress: (progress: number) => void,
) => Promise<unknown>

/** Files on their way out, by conversation. In memory: they are too large for the storage of drafts. */
export function createOutgoingFiles(upload: Upload) {
  const files = new Map<number, readonly OutgoingFile[]>()
  const listeners = new Set<() => void>()
  const read = (id: number) => files.get(id) ?? none
  const write = (id: number, next: readonly OutgoingFile[]) => {
    files.set(id, next)
    for (const listener of listeners) listener()
  }
  const remove = (id: number, clientMessageId: string) =>
    write(
      id,
      read(id).filter((one) => one.clientMessageId !== clientMessageId),
    )
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
    change(id, clientMessageId, { state: 'sending', progress: 0 })
    try {
      await upload(id, next, (progress) => change(id, clientMessageId, { progress }))
      remove(id, clientMessageId)
    } catch (error) {
      console.warn(error)
      const state = refusalOf(error)
      change(id, clientMessageId, { state })
      // A full conversation takes none of the others either.
      if (state === 'fileLimit')
        write(
          id,
          read(id).map((one) => (one.state === 'ready' ? { ...one, state } : one)),
        )
    }
    await send(id)
  }

  return {
    read,
    add(id: number, added: readonly File[]) {
      const fresh = added.map((file): OutgoingFile => {
        const state = file.size > attachedFileMax ? 'fileTooLarge' : 'ready'
        return { clientMessageId: crypto.randomUUID(), file, state, progress: 0 }
      })
      if (fresh.length > 0) write(id, [...read(id), ...fresh])
    },
    remove,
    /** All that would be refused again. */
    removeRefused: (id: number) =>
      write(
        id,
        read(id).filter((one) => !isRefused(one)),
      ),
    /** Those that wait; the ones that failed wait for `retry`. */
    send: (id: number) => void send(id),
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

const path = '/api/chat/files'

/** Sends a file as a message of the conversation. Not `fetch`, which does not report how much has left. */
export async function uploadFile(...[id, { clientMessageId, file }, onProgress]: Parameters<Upload>): Promise<StaffMessage> {
  const body = JSON.stringify({ id_chat: id, client_message_id: clientMessageId, name: file.name, data: await toBase64(file) })
  let token = readCookie('XSRF-TOKEN')
  let sent = await post(body, token, onProgress)
  // A new session changes the token; the refusal carries the new one.
  if (sent.status === 403 && readCookie('XSRF-TOKEN') !== token) {
    token = readCookie('XSRF-TOKEN')
    sent = await post(body, token, onProgress)
  }
  if (sent.status !== 201) throw new ApiError(sent.status, sent.answer)
  return sent.answer.message as StaffMessage
}

type Answer = { status: number; answer: Record<string, unknown> }

function post(body: string, token: string | undefined, onProgress: (progress: number) => void) {
  return new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', apiAddress(path))
    request.withCredentials = true
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/json')
    if (token) request.setRequestHeader('x-xsrf-token', token)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      resolve({ status: request.status, answer: (request.response ?? {}) as Answer['answer'] })
    })
    request.addEventListener('error', () => reject(new ApiError(0, { detail: 'The server cannot be reached.' })))
    request.send(body)
  })
}

/** Encodes a file in parts: as many arguments as a picture has bytes are too many for one call. */
async function toBase64(file: File) {
  let text = ''
  const bytes = new Uint8Array(await file.arrayBuffer())
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}
