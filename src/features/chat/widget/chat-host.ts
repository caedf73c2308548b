import { findHost } from '#src/ui/hosts.ts'
import { chatFramePath } from '../keys.ts'

export const chatAddress = (call: string) => `${findHost('chat')}/public_api/chat/${call}`

/** Sends something while the page unloads: a beacon, or `fetch` to another host, where a beacon would carry cookies. */
export function sendBeforeUnload(address: string, body: object) {
  const text = JSON.stringify(body)
  if (address.startsWith('/')) return void navigator.sendBeacon(address, new Blob([text], { type: 'application/json' }))
  const headers = { 'content-type': 'application/json' }
  fetch(address, { method: 'POST', body: text, headers, keepalive: true, credentials: 'omit' }).catch(() => undefined)
}

/** The page the visitor looks at; in a frame on another site, that site's. */
export function visitedPage() {
  const { pathname, search } = location
  return (pathname === chatFramePath && new URLSearchParams(search).get('page')) || pathname
}
