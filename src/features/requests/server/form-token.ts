import { createHmac } from 'node:crypto'
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

type Times = { elapsed_ms?: number | undefined; shown_at?: string | undefined }

/** Milliseconds to wait before storing a form that was sent very early; it is delayed, not refused, because a visitor who re-sends is as fast. */
export function waitBeforeTaking(secret: string, { elapsed_ms: elapsed, shown_at: token }: Times, now = Date.now()) {
  const shownAt = token === undefined ? null : readShownAt(secret, token)
  const waits = [elapsed, shownAt === null ? undefined : now - shownAt].map((time) => minimumFillMs - (time ?? minimumFillMs))
  return Math.min(minimumFillMs, Math.max(0, ...waits))
}

const idLife = 60 * 60_000

/**
 * The id of a page's form until a script makes one: the same within an hour, so that Back and Send again, where the
 * browser asks for the page anew, are one request. Visitors may share it: only the same content is the same request.
 */
export function pageFormId(secret: string, kind: string, now = Date.now()) {
  const hex = createHmac('sha256', secret)
    .update(`form id\n${kind}\n${Math.floor(now / idLife)}`)
    .digest('hex')
  // Version 8 is for ids made in one's own way (RFC 9562).
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
