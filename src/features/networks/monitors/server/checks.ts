import { execFile } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { setTimeout as pause } from 'node:timers/promises'
import type { Monitor } from '../contract.ts'
import type { MonitorState, ResultReason } from '../values.ts'
import { usualDaysLeft } from '../values.ts'
import type { TargetResolver } from './targets.ts'
import { ForbiddenTarget, readHostAndPort, UnknownName } from './targets.ts'

/** What is checked, and what is expected of it. */
export type Check = Pick<Monitor, 'kind' | 'target' | 'timeout_ms' | 'expect'>
/** `ms`: until the target answered. */
export type Result = { state: MonitorState; ms: number | null; reason: ResultReason | null; detail: string }

const mostRedirects = 5
const mostBodyBytes = 1_000_000
const retryAfterMs = 250
const dayMs = 86_400_000

const good = (ms: number): Result => ({ state: 'up', ms, reason: null, detail: '' })
const bad = (reason: ResultReason, detail = '', ms: number | null = null): Result => ({ state: 'down', ms, reason, detail })
/** The check itself failed to run, so the state of the target is unknown. */
const impossible = (detail: string): Result => ({ state: 'unknown', ms: null, reason: 'impossible', detail })

/** A second attempt would have the same result. */
const certain = new Set<ResultReason | null>(['forbidden', 'certificate', 'silent'])
const isCertain = ({ state, reason }: Result) => state !== 'down' || certain.has(reason)

type Context = { resolver: TargetResolver; signal: AbortSignal }

/** Checks a target; a failure is confirmed by a second try, so that a single lost packet is none. Null where `stopped` aborts. */
export async function runCheck(check: Check, resolver: TargetResolver, stopped: AbortSignal): Promise<Result | null> {
  const first = await tryOnce(check, resolver, stopped)
  if (stopped.aborted) return null
  if (isCertain(first)) return first
  await pause(retryAfterMs, undefined, { signal: stopped }).catch(() => undefined)
  const second = await tryOnce(check, resolver, stopped)
  return stopped.aborted ? null : second
}

async function tryOnce(check: Check, resolver: TargetResolver, stopped: AbortSignal): Promise<Result> {
  const timeout = AbortSignal.timeout(check.timeout_ms)
  const signal = AbortSignal.any([timeout, stopped])
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })
  try {
    return await Promise.race([checkers[check.kind](check, { resolver, signal }), aborted])
  } catch (error) {
    return timeout.aborted ? bad('timeout', String(check.timeout_ms)) : explain(error)
  }
}

const checkers: Record<Check['kind'], (check: Check, context: Context) => Promise<Result>> = {
  http: checkHttp,
  tcp: checkTcp,
  dns: checkDns,
  ping: checkPing,
  certificate: checkCertificate,
  // It is due only when no signal came in time.
  signal: async () => bad('silent'),
}

function explain(error: unknown): Result {
  if (error instanceof ForbiddenTarget) return bad('forbidden', error.message)
  if (error instanceof UnknownName) return bad('name', error.message)
  // Both addresses of a name failed: `connect` wraps their errors.
  const inner = error instanceof AggregateError ? ((error.errors as unknown[])[0] ?? error) : error
  const { code = '', cause } = inner as NodeJS.ErrnoException
  if (cause instanceof ForbiddenTarget || cause instanceof UnknownName) return explain(cause)
  if (code === 'ECONNREFUSED') return bad('refused')
  if (/^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) return bad('certificate', code)
  if (code === 'EMFILE' || code === 'ENFILE' || code === 'ENOBUFS') return impossible(code)
  return bad('unreachable', code)
}

const since = (startedAt: number) => Math.round(performance.now() - startedAt)

async function checkHttp({ target, expect }: Check, { resolver, signal }: Context): Promise<Result> {
  const startedAt = performance.now()
  const wanted = expect.status
  let url = new URL(target)
  for (let hops = 0; ; hops += 1) {
    const response = await send(url, resolver, signal)
    try {
      const status = response.statusCode ?? 0
      const { location } = response.headers
      if (status >= 300 && status < 400 && location && wanted !== status) {
        const next = URL.canParse(location, url) ? new URL(location, url) : null
        const isFollowed = next !== null && /^https?:$/.test(next.protocol) && next.hostname === url.hostname
        if (!isFollowed || hops === mostRedirects) return bad('redirect', next?.host ?? '', since(startedAt))
        url = next
        continue
      }
      const isWanted = wanted === undefined ? status >= 200 && status < 300 : status === wanted
      if (!isWanted) return bad('status', String(status), since(startedAt))
      const ms = since(startedAt)
      if (expect.text && !(await hasText(response, expect.text))) return bad('text', '', ms)
      return good(ms)
    } finally {
      response.destroy()
    }
  }
}

async function send(url: URL, resolver: TargetResolver, signal: AbortSignal) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An address is not resolved, so no lookup would check it.
  if (isIP(host) !== 0) await resolver.resolve(host)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      agent: false,
      signal,
      lookup: resolver.lookup,
      headers: { 'user-agent': 'Guichet monitor', accept: '*/*', 'accept-encoding': 'identity' },
    }
    request(url, options, resolve).on('error', reject).end()
  })
}

/** Searches the beginning of a body, of which nothing is stored. */
async function hasText(response: IncomingMessage, text: string) {
  let body = Buffer.alloc(0)
  for await (const chunk of response as AsyncIterable<Buffer>) {
    body = Buffer.concat([body, chunk])
    if (body.includes(text)) return true
    if (body.length > mostBodyBytes) return false
  }
  return false
}

async function checkTcp({ target }: Check, { resolver, signal }: Context): Promise<Result> {
  const { host, port } = placeOf(target)
  if (isIP(host) !== 0) await resolver.resolve(host)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: resolver.lookup, signal })
    socket.once('connect', () => {
      resolve(good(since(startedAt)))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

async function checkCertificate({ target, expect }: Check, { resolver, signal }: Context): Promise<Result> {
  const { host, port } = placeOf(target)
  if (isIP(host) !== 0) await resolver.resolve(host)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const named = isIP(host) === 0 ? { servername: host } : {}
    const socket = connectTls({ host, port, lookup: resolver.lookup, ...named })
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once('secureConnect', () => {
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs)
      const ms = since(startedAt)
      const isShort = days < (expect.days_left ?? usualDaysLeft)
      resolve(isShort ? { state: 'degraded', ms, reason: 'expires', detail: String(days) } : good(ms))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** Resolves names without connecting to them, so every address in the response is allowed. */
async function checkDns({ target, expect }: Check, { resolver }: Context): Promise<Result> {
  const startedAt = performance.now()
  const found = await resolver.query(target)
  const ms = since(startedAt)
  if (found.length === 0) return bad('name', target, ms)
  if (expect.text && !found.includes(expect.text)) return bad('address', found.slice(0, 4).join(', '), ms)
  return good(ms)
}

/** Runs the system's `ping`, since only a privileged process may send such packets itself. */
async function checkPing({ target, timeout_ms }: Check, { resolver, signal }: Context): Promise<Result> {
  const [address = ''] = await resolver.resolve(target)
  const seconds = String(Math.max(1, Math.ceil(timeout_ms / 1_000)))
  const options = process.platform === 'win32' ? ['-n', '1', '-w', String(timeout_ms)] : ['-n', '-c', '1', '-W', seconds]
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const environment = { PATH: process.env.PATH, LC_ALL: 'C' }
    execFile('ping', [...options, address], { signal, env: environment, windowsHide: true }, (error, output, errors) => {
      const time = /time[=<]([\d.]+) ?ms/.exec(output)?.[1]
      if (!error) return resolve(good(time ? Math.round(Number(time)) : since(startedAt)))
      if (error.code === 'ENOENT') return resolve({ ...impossible('ping'), reason: 'no program' })
      // 1: no answer. Anything else is a fault of this machine, such as a missing right.
      return resolve(error.code === 1 ? bad('no answer') : impossible(errors.trim().split('\n')[0]?.slice(0, 200) ?? ''))
    })
  })
}

function placeOf(target: string) {
  const place = readHostAndPort(target)
  if (!place) throw new Error(`${target} is not a host and a port`)
  return place
}
