import { apiAddress } from './hosts.ts'
import { readCookie } from './storage.ts'

/** An error response of the API (RFC 9457); `status` 0 means that the server was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: { path: string; message: string }[]
  readonly problem: Record<string, unknown>

  constructor(status: number, problem: Record<string, unknown>) {
    super(typeof problem.detail === 'string' ? problem.detail : `HTTP ${status}`)
    this.status = status
    this.problem = problem
    this.errors = Array.isArray(problem.errors) ? (problem.errors as ApiError['errors']) : []
  }
}

/** Event on `window` when a call of `/api/auth/` fails with 403: the page then opens the sign-in. */
export const authRefusedEvent = 'auth-refused'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Recovery = (refused: Response, repeat: () => Promise<Response>) => Promise<Response>
let recover: Recovery | undefined

/** Registers a handler that may recover from a 401 before the caller gets it; returns the function that unregisters it. */
export function recoverRefusals(recovery: Recovery) {
  recover = recovery
  return () => {
    recover = undefined
  }
}

/** Calls the product's API with its cookies and its XSRF token; throws `ApiError`. */
export async function callApi<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return parseResponse(await requestApi(method, path, body, signal))
}

/** Like `callApi`, but returns the unread response. */
export async function requestApi(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let token = readCookie('XSRF-TOKEN')
  let response = await send(method, path, body, token, signal)
  // A new session changes the token. The 403 set the new cookie, unless another response replaced it in the meantime.
  for (let tries = method === 'GET' ? 0 : 3; tries > 0 && response.status === 403; tries -= 1) {
    const fresh = readCookie('XSRF-TOKEN')
    if (!fresh || fresh === token) break
    token = fresh
    response = await send(method, path, body, token, signal)
  }
  return response.status === 401 && recover ? recover(response, () => requestApi(method, path, body, signal)) : response
}

export const getJson = <T>(path: string, signal?: AbortSignal) => callApi<T>('GET', path, undefined, signal)

async function send(method: Method, path: string, body: unknown, token: string | undefined, signal: AbortSignal | undefined) {
  const isOwn = path.startsWith('/')
  try {
    return await fetch(apiAddress(path), {
      method,
      // The chat's own host (CHAT_URL) gets neither cookies nor the token.
      credentials: isOwn ? 'include' : 'omit',
      signal,
      headers: {
        accept: 'application/json',
        // The browser sets the content type of a form with files.
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...(token && isOwn && method !== 'GET' ? { 'x-xsrf-token': token } : {}),
      },
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, { detail: 'The server cannot be reached.' })
  }
}

/** The body of a response; throws `ApiError` where it is an error. */
export async function parseResponse<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T
  const isJson = response.headers.get('content-type')?.includes('json')
  const body = isJson ? ((await response.json()) as unknown) : undefined
  if (response.status === 403 && response.url.includes('/api/auth/')) window.dispatchEvent(new Event(authRefusedEvent))
  if (!response.ok) throw new ApiError(response.status, (body ?? {}) as Record<string, unknown>)
  return body as T
}

/**
 * An id under which a call may be repeated: a random UUID (RFC 9562, version 4). `crypto.randomUUID` is missing where a page
 * is not secure, as by plain HTTP in an office.
 */
export function makeClientId() {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
