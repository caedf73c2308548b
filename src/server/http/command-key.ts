import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { errorCodes } from 'fastify'
import type { Config } from '../config.ts'
import { ownAddress } from '../config.ts'
import type { Author } from '../audit-log/audit-log.ts'
import { Limited, NotConnected } from '../problems.ts'
import { isSigned, sign } from './signatures.ts'

const goodForMs = 60_000
/** Clock skew works both ways, so a key is remembered for twice the time. */
const oneUse = { points: 1, seconds: (2 * goodForMs) / 1_000 }
const form = /^Command (\d{1,15})\.([\w-]{22})\.([\w-]{43})\.([\w-]{43})$/
/** Headers of a proxy on this machine: through it, every client comes from the loopback. */
const forwardedHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

type Signed = { method: 'POST' | 'PUT' | 'DELETE'; path: string; body?: string }

/** The same where the command has no short name among the npm scripts. */
export const guichetAuthor = (command: string): Author => ({ userId: null, name: `guichet ${command}`, address: 'localhost' })

/** Digest of the body that the request's key was made for. */
const expectedDigests = new WeakMap<FastifyRequest, string>()

/** Author of a change made by a command on the server. */
export const commandAuthor = (command: string): Author => ({ userId: null, name: `npm run ${command}`, address: 'localhost' })

/**
 * Signs one request: proves knowledge of the product's secret without sending it. A process that listens on the port instead
 * learns nothing that it could use for another request or a second time.
 */
export function signCommand(secret: string, command: string, { method, path, body = '' }: Signed, now = Date.now()) {
  const [time, nonce, digest] = [String(now), randomBytes(16).toString('base64url'), digestOf(body)]
  return `Command ${time}.${nonce}.${digest}.${sign(secret, purposeOf(command), method, path, time, nonce, digest)}`
}

/** Sends a signed request to the product that runs on this machine. */
export function sendCommand(
  config: Config,
  command: string,
  { method, path, body, signal }: Omit<Signed, 'body'> & { body?: unknown; signal?: AbortSignal },
) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const signed = { method, path, ...(text !== undefined && { body: text }) }
  return fetch(ownAddress(config) + path, {
    method,
    headers: {
      authorization: signCommand(config.secret, command, signed),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    },
    ...(text !== undefined && { body: text }),
    ...(signal && { signal }),
  })
}

/** The connection broke before the response was complete. */
export class ServerStopped extends Error {}

/** Lines of JSON, as they arrive; throws `ServerStopped` where the server is killed in between. */
export async function* readLines<Line>(body: NonNullable<Response['body']>): AsyncGenerator<Line> {
  let rest = ''
  try {
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as Line
    }
  } catch (cause) {
    throw new ServerStopped('the connection to the server broke', { cause })
  }
}

/** Throws `NotConnected` unless this command, on this machine, signed this very request; `checkCommandBody` comes after. */
export async function checkCommand(request: FastifyRequest, command: string) {
  const [, time = '', nonce = '', digest = '', signature = ''] = form.exec(request.headers.authorization ?? '') ?? []
  const isGood =
    isLocalConnection(request) &&
    Math.abs(Date.now() - Number(time)) <= goodForMs &&
    isSigned(
      signature,
      request.server.config.secret,
      purposeOf(command),
      request.method,
      request.raw.url ?? '',
      time,
      nonce,
      digest,
    )
  if (!isGood) throw new NotConnected()
  await request.server.limits.take('command-key', nonce, oneUse).catch((error: unknown) => {
    throw error instanceof Limited ? new NotConnected() : error
  })
  expectedDigests.set(request, digest)
  request.author = commandAuthor(command)
}

/** Reads the body before it is parsed; throws `NotConnected` where it is not the signed one. */
export async function checkCommandBody(request: FastifyRequest, _reply: unknown, payload: AsyncIterable<Buffer>) {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of payload) {
    length += part.length
    if (length > request.routeOptions.bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    parts.push(part)
  }
  const body = Buffer.concat(parts)
  if (digestOf(body) !== expectedDigests.get(request)) throw new NotConnected()
  return Object.assign(Readable.from(length > 0 ? [body] : [], { objectMode: false }), { receivedEncodedLength: length })
}

/** Decided by the socket's address alone; a connection to one of the machine's own addresses does not leave it either. */
function isLocalConnection({ raw: { socket }, headers }: FastifyRequest) {
  const { remoteAddress, localAddress } = socket
  if (remoteAddress === undefined || forwardedHeaders.some((name) => name in headers)) return false
  return /^(::ffff:)?127\.|^::1$/.test(remoteAddress) || remoteAddress === localAddress
}

const purposeOf = (command: string) => `command ${command}`
const digestOf = (body: string | Buffer) => createHash('sha256').update(body).digest('base64url')
