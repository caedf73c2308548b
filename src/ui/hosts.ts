/** Names of the meta tags that hold `API_URL` and `CHAT_URL`. */
export const hostMetas = { api: 'api-host', chat: 'chat-host' } as const

/** The origin of the API or of the chat, where it has its own; empty where it is this page's. */
export function findHost(kind: keyof typeof hostMetas) {
  const host = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name=${hostMetas[kind]}]`)?.content ?? ''
  return host === globalThis.location?.origin ? '' : host
}

/** Where a call of the API goes; an address on another host stays as it is. */
export const apiAddress = (path: string) => (path.startsWith('/') ? findHost('api') + path : path)
