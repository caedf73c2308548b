import type { FastifyRequest } from 'fastify'
import type { Author } from '../journal/journal.ts'
import { NotConnected } from '../problems.ts'
import { isSigned, sign } from './signatures.ts'

const goodForMs = 60_000

/** Who acts where a command of the person on the server does. */
export const commandAuthor = (command: string): Author => ({ userId: null, name: `npm run ${command}`, address: 'localhost' })

/**
 * Shows that the caller reads the secret of this product, without sending it: who listens in its place on the port
 * learns nothing that is good for longer than a minute.
 */
export function signCommand(secret: string, command: string, now = Date.now()) {
  return `Command ${now}.${sign(secret, command, String(now))}`
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
  return Math.abs(Date.now() - Number(time)) <= goodForMs && isSigned(signature, secret, command, time)
}
