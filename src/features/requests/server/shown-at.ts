import { createHmac, timingSafeEqual } from 'node:crypto'
import { Invalid } from '#src/server/problems.ts'
import { minimumFillMs } from '../values.ts'

/** The server's word for when a form was shown, for pages without JavaScript: `<time>.<signature>`. */
export function signShownAt(secret: string, at: number) {
  const time = at.toString(36)
  return `${time}.${signatureOf(secret, time)}`
}

/** Reads the time back; null where this server did not sign it. */
export function readShownAt(secret: string, token: string) {
  const [time = '', signature = '', ...rest] = token.split('.')
  const expected = Buffer.from(signatureOf(secret, time))
  const given = Buffer.from(signature)
  const isOurs = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs ? Number.parseInt(time, 36) : null
}

type Trapped = { honey: string; username?: string; elapsed_ms?: number | undefined; shown_at?: string | undefined }

/** True for what no person sends: a filled trap, or a form filled faster than one can read it. */
export function isTrapped(secret: string, input: Trapped, now = Date.now()) {
  if (input.honey !== '' || (input.username ?? '') !== '') return true
  if (input.elapsed_ms !== undefined && input.elapsed_ms < minimumFillMs) return true
  if (input.shown_at === undefined) return false
  const shownAt = readShownAt(secret, input.shown_at)
  if (shownAt === null) throw new Invalid('Some values are not valid.', [{ path: 'shown_at', message: 'invalid' }])
  return now - shownAt < minimumFillMs
}

function signatureOf(secret: string, time: string) {
  return createHmac('sha256', secret).update(`form shown\n${time}`).digest('base64url')
}
