import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Author } from './journal.ts'
import { NotConnected } from './problems.ts'

const goodForMs = 60_000

/** Who acts where a command of the person on the server does. */
export const commandAuthor = (command: string): Author => ({ userId: null, name: `npm run ${command}`, address: 'localhost' })

/**
 * Shows that the caller reads the secret of this product, without sending it: who listens in its place on the port
 * learns nothing that is good for longer than a minute.
 */
export function signCommand(secret: string, command: string, now = Date.now()) {
  return `Command ${now}.${signatureOf(secret, command, String(now))}`
}

/** Guard: lets only this command of the same server through. */
export function signedFor(command: string) {
  return async (request: FastifyRequest) => {
    const header = request.headers.authorization ?? ''
    if (!isGood(request.server.config.secret, command, header)) throw new NotConnected()
    request.author = commandAuthor(command)
  }
}

function isGood(secret: string, command: string, header: string) {
  const [, time = '', signature = ''] = /^Command (\d{1,15})\.([\w-]{43})$/.exec(header) ?? []
  if (Math.abs(Date.now() - Number(time)) > goodForMs) return false
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, command, time))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(secret: string, command: string, time: string) {
  return createHmac('sha256', secret).update(`${command}\n${time}`).digest('base64url')
}
