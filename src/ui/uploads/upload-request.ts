import { ApiError } from '../api.ts'
import { apiAddress } from '../hosts.ts'
import { readCookie } from '../storage.ts'

type Sent = {
  method: 'POST' | 'PATCH'
  path: string
  body: FormData | Blob | string
  headers?: Record<string, string>
  signal: AbortSignal
  /** How many bytes of the body have left. */
  onSent: (bytes: number) => void
}

/** The connection broke: `isWhole` where the server may have had all of the request. */
export class LostConnection extends ApiError {
  readonly isWhole: boolean

  constructor(isWhole: boolean) {
    super(0, { detail: 'The server cannot be reached.' })
    this.isWhole = isWhole
  }
}

/** A connection without a single byte for so long is lost: some networks vanish without an error. */
const stalledMs = 30_000

/** Sends a file. Not `fetch`, which does not report how much has left; throws `ApiError`, or the reason of the signal. */
export async function sendWithProgress<T>(sent: Sent): Promise<T> {
  for (let tries = 3; ; tries -= 1) {
    const token = readCookie('XSRF-TOKEN')
    const { status, body } = await send(sent, token)
    if (status >= 200 && status < 300) return body as T
    // A new session changes the token; the refusal carries the new one.
    const isOldToken = status === 403 && readCookie('XSRF-TOKEN') !== token
    if (!isOldToken || tries === 0) throw new ApiError(status, (body ?? {}) as Record<string, unknown>)
  }
}

function send({ method, path, body, headers, signal, onSent }: Sent, token: string | undefined) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let isWhole = false
    let stalled: ReturnType<typeof setTimeout> | undefined
    const settle = () => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', handleAbort)
      window.removeEventListener('offline', handleLoss)
    }
    const handleAbort = () => {
      settle()
      request.abort()
      reject(signal.reason as Error)
    }
    const handleLoss = () => {
      settle()
      request.abort()
      reject(new LostConnection(isWhole))
    }
    const watch = () => {
      clearTimeout(stalled)
      // The server may take its time once it has all.
      if (!isWhole) stalled = setTimeout(handleLoss, stalledMs)
    }
    signal.addEventListener('abort', handleAbort)
    window.addEventListener('offline', handleLoss)
    request.open(method, apiAddress(path))
    request.withCredentials = true
    request.responseType = 'json'
    for (const [name, value] of Object.entries({ accept: 'application/json', ...headers })) request.setRequestHeader(name, value)
    if (token) request.setRequestHeader('x-xsrf-token', token)
    request.upload.addEventListener('progress', ({ loaded }) => {
      watch()
      onSent(loaded)
    })
    request.upload.addEventListener('load', () => {
      isWhole = true
      clearTimeout(stalled)
    })
    request.addEventListener('load', () => {
      settle()
      resolve({ status: request.status, body: request.response as unknown })
    })
    request.addEventListener('error', handleLoss)
    watch()
    request.send(body)
  })
}
