import { lookup as resolveName } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request } from 'node:https'
import { BlockList, isIP } from 'node:net'

/*
 * Requests to addresses that users or browsers give: a server must not be made to call its own network. The address is
 * checked on the connection itself, after its name was resolved, so that a name cannot resolve differently for the check.
 */

/** The address is not a public https address, nor one of the allowed hosts. */
export class ForbiddenAddress extends Error {}

/** Special-purpose addresses (RFC 6890 and the registries of IANA): none is reached through the public Internet. */
const special = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [address = '', bits] = network.split('/')
  special.addSubnet(address, Number(bits), 'ipv4')
}
// Within 2000::/3: protocol assignments with Teredo, documentation, and 6to4, which holds an IPv4 address.
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(address, bits, 'ipv6')
}
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string) {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return isIP(address) === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

type Callback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Resolves a name like `dns.lookup`, and throws where any of its addresses is not public. */
function lookupPublic(hostname: string, options: LookupOptions, callback: Callback) {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) return callback(forbidden(hostname), '')
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

/** The host of an address as sockets know it. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const forbidden = (host: string) => new ForbiddenAddress(`${host} is not a public address`)

/** Throws `ForbiddenAddress` for what is not https, and for a host that is, or resolves to, an address that is not public. */
export async function checkPublicAddress(address: string, allowedHosts: readonly string[] = []) {
  const url = new URL(address)
  if (url.protocol !== 'https:' || url.username !== '') throw new ForbiddenAddress('only https addresses are called')
  const host = hostOf(url)
  if (allowedHosts.includes(host)) return
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw forbidden(host)
    return
  }
  await new Promise<void>((resolve, reject) => {
    lookupPublic(host, { all: true }, (error) => (error ? reject(error) : resolve()))
  })
}

type OutgoingRequest = {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string | number>
  body?: Buffer
  /** For the whole exchange. */
  timeoutMs: number
  /** Hosts that may be in a private network. */
  allowedHosts?: readonly string[]
}

/** Sends a request to a public https address and returns the status; follows no redirect and reads no body. */
export async function sendOutside({ url, method, headers, body, timeoutMs, allowedHosts = [] }: OutgoingRequest) {
  const host = hostOf(new URL(url))
  const isAllowed = allowedHosts.includes(host)
  if (new URL(url).protocol !== 'https:') throw new ForbiddenAddress('only https addresses are called')
  // An address is not resolved, so no lookup would check it.
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) throw forbidden(host)
  return new Promise<number>((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers,
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        ...(isAllowed ? {} : { lookup: lookupPublic }),
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Why a file was not fetched: `detail` is the status, or the limit that it is above. */
export class NotFetched extends Error {
  readonly reason: 'status' | 'redirects' | 'size' | 'time'
  readonly detail: number

  constructor(reason: NotFetched['reason'], detail: number) {
    super(`${reason}: ${detail}`)
    this.reason = reason
    this.detail = detail
  }
}

const mostRedirects = 5

type FetchLimits = {
  maxBytes: number
  /** For the whole exchange, with its redirects. */
  timeoutMs: number
  /** Hosts that may be in a private network. */
  allowedHosts?: readonly string[]
  signal?: AbortSignal
}

/**
 * Reads a file from a public http or https address. Each redirect is checked as the address itself. Throws `ForbiddenAddress`,
 * `NotFetched`, or the error of the connection.
 */
export async function fetchOutside(address: string, { maxBytes, timeoutMs, allowedHosts = [], signal }: FetchLimits) {
  const timeout = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([timeout, signal]) : timeout
  try {
    let url = new URL(address)
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const response = await openOutside(url, allowedHosts, stop)
      try {
        const { statusCode: status = 0, headers } = response
        if (status >= 300 && status < 400 && headers.location && URL.canParse(headers.location, url)) {
          url = new URL(headers.location, url)
          continue
        }
        if (status !== 200) throw new NotFetched('status', status)
        return await readBody(response, maxBytes)
      } finally {
        response.destroy()
      }
    }
    throw new NotFetched('redirects', mostRedirects)
  } catch (error) {
    throw timeout.aborted ? new NotFetched('time', timeoutMs) : error
  }
}

function openOutside(url: URL, allowedHosts: readonly string[], signal: AbortSignal) {
  const host = hostOf(url)
  const isAllowed = allowedHosts.includes(host)
  if (!/^https?:$/.test(url.protocol) || url.username !== '') throw new ForbiddenAddress('only http and https addresses are read')
  // An address is not resolved, so no lookup would check it.
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) throw forbidden(host)
  const open = url.protocol === 'https:' ? request : requestHttp
  const headers = { 'user-agent': 'Guichet import', accept: 'image/*', 'accept-encoding': 'identity' }
  return new Promise<IncomingMessage>((resolve, reject) => {
    open(url, { agent: false, signal, headers, ...(isAllowed ? {} : { lookup: lookupPublic }) }, resolve)
      .on('error', reject)
      .end()
  })
}

async function readBody(response: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new NotFetched('size', maxBytes)
    chunks.push(chunk)
  }
  // A connection that ends early is a part of the file.
  if (!response.complete) throw new Error('the connection ended before the file')
  return Buffer.concat(chunks)
}
