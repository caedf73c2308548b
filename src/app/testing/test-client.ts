import { xsrfCookie, xsrfHeader } from '#src/server/http/xsrf.ts'

type Answer<T> = { status: number; headers: Headers; body: T; text: string }
type Options = { headers?: Record<string, string>; raw?: string; signal?: AbortSignal }

/** A browser as seen by the API: stores cookies, sends its XSRF token and its origin. */
export function createTestClient(origin: string) {
  const cookies = new Map<string, string>()

  async function send<T = unknown>(method: string, path: string, body?: unknown, options: Options = {}): Promise<Answer<T>> {
    const token = cookies.get(xsrfCookie)
    const hasBody = body !== undefined || options.raw !== undefined
    const isForm = body instanceof FormData
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      signal: options.signal ?? null,
      headers: {
        origin,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(token ? { [xsrfHeader]: token } : {}),
        ...(hasBody && !isForm ? { 'content-type': 'application/json' } : {}),
        ...options.headers,
      },
      body: options.raw ?? (body === undefined || isForm ? body : JSON.stringify(body)),
    })
    for (const cookie of response.headers.getSetCookie()) storeCookie(cookie)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.match(/^application\/(?:[\w.-]+\+)?json\b/)
    return { status: response.status, headers: response.headers, text, body: (isJson && text ? JSON.parse(text) : text) as T }
  }

  function storeCookie(cookie: string) {
    const [pair = ''] = cookie.split(';')
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (/expires=thu, 01 jan 1970/i.test(cookie) || value === '') cookies.delete(name)
    else cookies.set(name, value)
  }

  return {
    origin,
    cookies,
    send,
    get: <T>(path: string, options?: Options) => send<T>('GET', path, undefined, options),
    post: <T>(path: string, body?: unknown, options?: Options) => send<T>('POST', path, body, options),
    put: <T>(path: string, body?: unknown, options?: Options) => send<T>('PUT', path, body, options),
    delete: <T>(path: string, body?: unknown, options?: Options) => send<T>('DELETE', path, body, options),
    /** Requests a token first, as every page does. */
    async arrive() {
      await send('GET', '/api/networks/reseau/status')
      return this
    },
    cookieHeader: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
}

export type TestClient = ReturnType<typeof createTestClient>
