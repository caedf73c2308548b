import { offsetHeader, pieceType, resumableFromBytes, uploadField } from '#src/lib/uploads.ts'
import type { UploadState } from '#src/lib/uploads.ts'
import { ApiError, callApi } from '../api.ts'
import { LostConnection, sendWithProgress } from './upload-request.ts'

/** The file itself, or the id of the upload that the server has of it. */
export type FilePart = { file: File; upload?: undefined } | { file?: undefined; upload: string }

/** The route that takes the files. */
type Target = {
  path: string
  /** What they may be uploaded in pieces for; null where they always go whole. */
  purpose: string | null
  /** `parts`: each file, in the order given. */
  body: (parts: FilePart[]) => FormData | string | Promise<string>
  /** The route stores the same body once, also where its answer was lost. */
  isRepeatable?: boolean
  /** It is the post of a page: the result is the address where it led. */
  isPage?: boolean
}

export type UploadProgress = {
  /** `waiting`: the connection is lost. `checking`: the server has the file and works on it. */
  state: 'sending' | 'waiting' | 'checking'
  sent: number
  total: number
  /** Null while nobody knows. */
  secondsLeft: number | null
}

type Run = { signal: AbortSignal; onProgress: (progress: UploadProgress) => void }

/** What a proxy answers while the server restarts, and the server while its database does. */
const passingStatuses = new Set([0, 408, 502, 503, 504])
const isPassing = (error: unknown) => error instanceof ApiError && passingStatuses.has(error.status)

/** A proxy that collects requests before it passes them on loses one of these at most. */
const pieceBytes = 4 * 1024 * 1024
const path = '/api/uploads'

const sizeOf = (files: readonly File[]) => files.reduce((sum, { size }) => sum + size, 0)

/**
 * Files on their way to a route. Large ones go in pieces: after a lost connection, a stop or an error, `run` continues
 * where it was.
 */
export function createUpload<T>(files: readonly File[], target: Target) {
  const ids = new Map<File, string>()
  const total = sizeOf(files)
  const large = target.purpose === null ? [] : files.filter(({ size }) => size > resumableFromBytes)

  async function run({ signal, onProgress }: Run): Promise<T> {
    const rate = createRate()
    const report = (state: UploadProgress['state'], sent: number) => {
      const now = { state, sent: Math.min(sent, total), total }
      onProgress({ ...now, secondsLeft: rate.secondsLeft(now) })
    }
    for (const [index, file] of large.entries()) {
      const before = sizeOf(large.slice(0, index))
      await sendPieces(file, signal, (state, sent) => report(state, before + sent))
    }
    // What the last call still carries; the rest is on the server.
    const before = sizeOf(large)
    const left = total - before
    const stateAt = (share: number) => (left === 0 || share === 1 ? 'checking' : 'sending')
    for (let tries = 0; ; tries += 1) {
      report(stateAt(0), before)
      const body = await target.body(files.map((file) => partOf(file)))
      const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
      const onSent = (share: number) => report(stateAt(share), before + share * left)
      try {
        const result = await sendWithProgress<T>({
          ...{ method: 'POST', path: target.path, isPage: target.isPage },
          ...{ body, headers, signal, onSent },
        })
        ids.clear()
        return result
      } catch (error) {
        // A text alone is soon sent again by hand; what the server may have stored is not sent twice without being asked.
        const isOver = files.length === 0 || !(error instanceof LostConnection) || (error.isWhole && !target.isRepeatable)
        if (isOver) throw error
        report('waiting', before)
        await waitForConnection(tries, signal)
      }
    }
  }

  function partOf(file: File): FilePart {
    const upload = ids.get(file)
    return upload === undefined ? { file } : { upload }
  }

  async function sendPieces(file: File, signal: AbortSignal, report: (state: UploadProgress['state'], sent: number) => void) {
    let offset = 0
    for (let failures = 0; ;) {
      try {
        offset = await findOffset(file, signal)
        while (offset < file.size) {
          const start = offset
          report('sending', start)
          const body = file.slice(start, start + pieceBytes)
          const piece = await sendWithProgress<UploadState>({
            ...{ method: 'PATCH', path: `${path}/${ids.get(file)}`, body, signal },
            headers: { 'content-type': pieceType, [offsetHeader]: String(start) },
            onSent: (share) => report('sending', start + share * body.size),
          })
          offset = piece.offset
          failures = 0
        }
        return
      } catch (error) {
        failures += 1
        const hasMoved = error instanceof ApiError && (error.status === 409 || error.status === 401) && failures <= 3
        if (!isPassing(error) && !(ids.has(file) && hasMoved)) throw error
        report('waiting', offset)
        if (!hasMoved) await waitForConnection(failures, signal)
      }
    }
  }

  /** Where the server is; begins an upload where it has none. */
  async function findOffset(file: File, signal: AbortSignal) {
    const known = ids.get(file)
    if (known !== undefined) {
      try {
        return (await callApi<UploadState>('GET', `${path}/${known}`, undefined, signal)).offset
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error
      }
    }
    const input = { purpose: target.purpose, name: file.name, bytes: file.size }
    const begun = await callApi<UploadState>('POST', path, input, signal)
    ids.set(file, begun.id_upload)
    return begun.offset
  }

  return {
    total,
    /** Stopped, the server has a part of it. */
    hasPieces: large.length > 0,
    run,
    /** Deletes what the server has of them. */
    discard() {
      // The server deletes it anyway after a day.
      for (const id of ids.values()) callApi('DELETE', `${path}/${id}`).catch((error: unknown) => console.warn(error))
      ids.clear()
    },
  }
}

const windowMs = 15_000
/** No time left before so long: the first bytes fill buffers. */
const shortestMs = 2_000

/** Estimates the time left by the speed of the last seconds. */
export function createRate(now = () => Date.now()) {
  let samples: { at: number; sent: number }[] = []
  return {
    secondsLeft({ state, sent, total }: Omit<UploadProgress, 'secondsLeft'>): number | null {
      if (state !== 'sending') {
        samples = []
        return null
      }
      const at = now()
      samples = [...samples.filter((one) => one.at > at - windowMs && one.sent <= sent), { at, sent }]
      const [first = { at, sent }] = samples
      const [ms, bytes] = [at - first.at, sent - first.sent]
      return ms < shortestMs || bytes === 0 ? null : ((total - sent) / bytes) * (ms / 1_000)
    },
  }
}

/** Somebody stopped it. */
export const isStopped = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

export const stopReason = () => new DOMException('stopped', 'AbortError')

/** A form that has the file alone. */
export function formOf([part]: FilePart[]) {
  const form = new FormData()
  appendFile(form, part)
  return form
}

/** The content of a file as the field of a form. */
export function appendFile(form: FormData, part: FilePart | undefined) {
  if (part?.file) form.append('file', part.file)
  else if (part?.upload) form.append(uploadField, part.upload)
}

/** The content of a file in a JSON body. */
export const contentOf = async ({ file, upload }: FilePart) => (file ? { data: await toBase64(file) } : { upload })

async function toBase64(file: File) {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('a file that cannot be read')))
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
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
