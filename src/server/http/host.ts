import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { Invalid } from '../problems.ts'
import type { App } from '../types.ts'
import { proxyTrust } from './addresses.ts'

const maxRemembered = 100
/** Cache of valid Host values. */
const validHosts = new Set<string>()
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i
const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const

/** Whether a request has one Host header, and it names a host (RFC 9112, 3.2). */
export function hasValidHost({ headers: { host }, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) {
  // Node ignores duplicates of this header.
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count === 1 && host !== undefined && isHost(host)
}

function isHost(host: string) {
  if (validHosts.has(host)) return true
  const isValid = host.length < 260 && /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) && URL.canParse(`http://${host}`)
  if (!isValid) return false
  if (validHosts.size >= maxRemembered) validHosts.clear()
  validHosts.add(host)
  return true
}

/**
 * Normalizes the target of each request before anything reads it: an absolute request line loses its origin, X-Forwarded-Host
 * is ignored, an invalid Host is rejected.
 */
export function registerHostCheck(app: App) {
  const warn = warnAboutUnknownProxy(app)
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    warn(raw)
    if (raw.headers['x-forwarded-host'] !== undefined) delete raw.headers['x-forwarded-host']
    if (!hasValidHost(raw)) return done(new Invalid('The Host header does not name one host.'))
    const [, host, rest = ''] = absoluteForm.exec(raw.url ?? '') ?? []
    if (host === undefined) return done()
    if (!isHost(host)) return done(new Invalid('The address does not name a host.'))
    // RFC 9112, 3.2.2: the host of the request line counts, not the header.
    raw.headers.host = host
    raw.url = rest.startsWith('/') ? rest : `/${rest}`
    done()
  })
}

/** Logs once that forwarding headers come from an address that `TRUST_PROXY` does not name. */
function warnAboutUnknownProxy({ config, log }: { config: Pick<Config, 'trustProxy'>; log: App['log'] }) {
  const trust = proxyTrust(config.trustProxy)
  let isWarned = false
  return ({ headers, socket }: IncomingMessage) => {
    if (isWarned) return
    const header = forwardingHeaders.find((name) => headers[name] !== undefined)
    const from = socket.remoteAddress
    if (!header || from === undefined || trust(from, 0)) return
    isWarned = true
    log.warn({ header, from }, 'a forwarding header comes from an address that TRUST_PROXY does not name: it is not believed')
  }
}
