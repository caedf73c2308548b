import { offsetHeader, pieceType, resumableFromBytes } from '#src/lib/uploads.ts'
import type { UploadState } from '#src/lib/uploads.ts'
import { ApiError, callApi } from '../api.ts'
import { LostConnection, sendWithProgress } from './upload-request.ts'

/** The file itself, or the id of the upload that the server has of it. */
export type FilePart = { file: File; upload?: undefined } | { file?: undefined; upload: string }

/** The route that takes the file. */
type Target = {
  path: string
  /** What it may be uploaded in pieces for. */
  purpose: string
  body: (part: FilePart) => FormData | string | Promise<string>
}

export type UploadProgress = {
  /** `waiting`: the connection is lost. `checking`: the server has the file and works on it. */
  state: 'sending' | 'waiting' | 'checking'
  sent: number
  total: number
}

type Run = { signal: AbortSignal; onProgress: (progress: UploadProgress) => void }

/** What a proxy answers while the server restarts, and the server while its database does. */
const passingStatuses = new Set([0, 408, 502, 503, 504])
const isPassing = (error: unknown) => error instanceof ApiError && passingStatuses.has(error.status)

/** A proxy that collects requests before it passes them on loses one of these at most. */
const pieceBytes = 4 * 1024 * 1024
const path = '/api/uploads'

/**
 * A file on its way to a route. A large one goes in pieces: after a lost connection, a stop or an error, `run` continues
 * where it was.
 */
export function createUpload<T>(file: File, target: Target) {
  let id: string | null = null
  const total = file.size

  async function run({ signal, onProgress }: Run): Promise<T> {
    const report = (state: UploadProgress['state'], sent: number) => onProgress({ state, sent: Math.min(sent, total), total })
    const isLarge = total > resumableFromBytes
    if (isLarge) await sendPieces(signal, report)
    for (let tries = 0; ; tries += 1) {
      report(isLarge ? 'checking' : 'sending', isLarge ? total : 0)
      const body = await target.body(id === null ? { file } : { upload: id })
      const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
      const onSent = (sent: number) => report(isLarge || sent >= total ? 'checking' : 'sending', isLarge ? total : sent)
      try {
        const result = await sendWithProgress<T>({ method: 'POST', path: target.path, body, headers, signal, onSent })
        id = null
        return result
      } catch (error) {
        // What the server may have stored is not sent twice without being asked.
        if (!(error instanceof LostConnection) || error.isWhole) throw error
        report('waiting', isLarge ? total : 0)
        await waitForConnection(tries, signal)
      }
    }
  }

  async function sendPieces(signal: AbortSignal, report: (state: UploadProgress['state'], sent: number) => void) {
    let offset = 0
    for (let failures = 0; ;) {
      try {
        offset = await findOffset(signal)
        while (offset < total) {
          const start = offset
          report('sending', start)
          const piece = await sendWithProgress<UploadState>({
            ...{ method: 'PATCH', path: `${path}/${id}`, body: file.slice(start, start + pieceBytes), signal },
            headers: { 'content-type': pieceType, [offsetHeader]: String(start) },
            onSent: (sent) => report('sending', start + sent),
          })
          offset = piece.offset
          failures = 0
        }
        return
      } catch (error) {
        failures += 1
        const hasMoved = error instanceof ApiError && (error.status === 409 || error.status === 401) && failures <= 3
        if (!isPassing(error) && !(id !== null && hasMoved)) throw error
        report('waiting', offset)
        if (!hasMoved) await waitForConnection(failures, signal)
      }
    }
  }

  /** Where the server is; begins an upload where it has none. */
  async function findOffset(signal: AbortSignal) {
    if (id !== null) {
      try {
        return (await callApi<UploadState>('GET', `${path}/${id}`, undefined, signal)).offset
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error
      }
    }
    const input = { purpose: target.purpose, name: file.name, bytes: total }
    const begun = await callApi<UploadState>('POST', path, input, signal)
    id = begun.id_upload
    return begun.offset
  }

  return {
    file,
    run,
    /** Deletes what the server has of it. */
    discard() {
      if (id === null) return
      const old = id
      id = null
      // The server deletes it anyway after a day.
      callApi('DELETE', `${path}/${old}`).catch((error: unknown) => console.warn(error))
    },
  }
}

export type Upload<T = unknown> = ReturnType<typeof createUpload<T>>

const longestWaitMs = 15_000

/** Until the browser has a network again, or for a moment where it has one and the server is away. */
function waitForConnection(tries: number, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    const isOffline = !navigator.onLine
    const timer = isOffline ? undefined : setTimeout(() => settle(resolve), Math.min(longestWaitMs, 1_000 * 2 ** tries))
    const goOn = () => settle(resolve)
    const stop = () => settle(() => reject(signal.reason as Error))
    const settle = (end: () => void) => {
      clearTimeout(timer)
      window.removeEventListener('online', goOn)
      signal.removeEventListener('abort', stop)
      end()
    }
    window.addEventListener('online', goOn)
    signal.addEventListener('abort', stop)
  })
}
