import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Author } from '#src/server/journal.ts'
import { NotConnected } from '#src/server/problems.ts'

export const announceAuthor: Author = { userId: null, name: 'npm run announce-update', address: 'localhost' }

const goodForMs = 60_000

/**
 * Shows that the caller reads the secret of this product, without sending it: who listens in its place on the port
 * learns nothing that is good for longer than a minute.
 */
export function signAnnouncement(secret: string, now = Date.now()) {
  return `Announce ${now}.${signatureOf(secret, String(now))}`
}

/** Guard: lets only the command of the same server through. */
export async function signed(request: FastifyRequest) {
  if (!isGood(request.server.config.secret, request.headers.authorization ?? '')) throw new NotConnected()
}

function isGood(secret: string, header: string) {
  const [, time = '', signature = ''] = /^Announce (\d{1,15})\.([\w-]{43})$/.exec(header) ?? []
  if (Math.abs(Date.now() - Number(time)) > goodForMs) return false
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, time))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(secret: string, time: string) {
  return createHmac('sha256', secret).update(`announce-update\n${time}`).digest('base64url')
}
