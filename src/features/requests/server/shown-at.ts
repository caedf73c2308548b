import { Invalid } from '#src/server/problems.ts'
import { isSigned, sign } from '#src/server/http/signatures.ts'
import { minimumFillMs } from '../values.ts'

const purpose = 'form shown'

/** The server's word for when a form was shown, for pages without JavaScript: `<time>.<signature>`. */
export function signShownAt(secret: string, at: number) {
  const time = at.toString(36)
  return `${time}.${sign(secret, purpose, time)}`
}

/** Reads the time back; null where this server did not sign it. */
export function readShownAt(secret: string, token: string) {
  const [time = '', signature = '', ...rest] = token.split('.')
  const isOurs = rest.length === 0 && isSigned(signature, secret, purpose, time)
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
