import { ApiError } from '../api.ts'
import { apiAddress } from '../hosts.ts'
import { readCookie } from '../storage.ts'

type Sent = {
  method: 'POST' | 'PATCH'
  path: string
  body: FormData | Blob | string
  headers?: Record<string, string>
  /** The body is the post of a page: the answer is the address where it led. */
  isPage?: boolean | undefined
  signal: AbortSignal
  /** How much of the body has left: from 0 to 1. */
  onSent: (share: number) => void
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
    const isOwn = sent.path.startsWith('/')
    const token = isOwn ? readCookie('XSRF-TOKEN') : undefined
    const { status, body } = await send(sent, token)
    if (status >= 200 && status < 300) return body as T
    // A new session changes the token; the refusal carries the new one.
    const isOldToken = status === 403 && isOwn && readCookie('XSRF-TOKEN') !== token
    if (!isOldToken || tries === 0) throw new ApiError(status, (body ?? {}) as Record<string, unknown>)
  }
}

function send({ method, path, body, headers, isPage, signal, onSent }: Sent, token: string | undefined) {
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
    // A page is no part of the API, which may have a host of its own (API_URL).
    request.open(method, isPage ? path : apiAddress(path))
    // The chat's own host (CHAT_URL) gets neither cookies nor the token.
    request.withCredentials = path.startsWith('/')
    request.responseType = isPage ? 'text' : 'json'
    for (const [name, value] of Object.entries({ accept: isPage ? 'text/html' : 'application/json', ...headers }))
      request.setRequestHeader(name, value)
    if (token) request.setRequestHeader('x-xsrf-token', token)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      watch()
      onSent(total > 0 ? loaded / total : 0)
    })
    request.upload.addEventListener('load', () => {
      isWhole = true
      clearTimeout(stalled)
    })
    request.addEventListener('load', () => {
      settle()
      resolve({ status: request.status, body: isPage ? request.responseURL : (request.response as unknown) })
    })
    request.addEventListener('error', handleLoss)
    watch()
    request.send(body)
  })
}
