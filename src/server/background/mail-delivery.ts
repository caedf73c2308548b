import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, or, sql } from 'drizzle-orm'
import nodemailer from 'nodemailer'
import { htmlOfText } from '#src/lib/text/mail-html.ts'
import type { Database } from '../database/database.ts'
import { logger } from '../log.ts'
import { traced } from '../observability/tracing.ts'
import { Undecipherable } from '../secrets/encryption.ts'
import { revealSecret } from './mail-secrets.ts'
import { mails } from './mail-table.ts'

/** Total limit in milliseconds, because a server that sends one byte a minute never hits an idle timeout. */
const deliveryLimit = 60_000
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000 }

/** Mails that leave side by side, each over a connection that stays open for the next ones. */
export const connections = 4
/** The connections close when no mail left for so long. */
const idleTimeout = 15_000
/** After so many attempts, about five days, a mail is given up. */
const mostAttempts = 3_600
const firstRetryS = 5
const longestRetryS = 120

/** While this process holds a mail that it sent, it retries to record that: another process would send the mail again. */
const recordRetry = { forMs: 60_000, everyMs: 1_000 }

/** Reads a file of a mail, piece by piece. */
export type LoadFile = (id: number) => AsyncIterable<Uint8Array>
type Setting = {
  smtpUrl: string
  sender: () => { address: string; name: string }
  loadFile: LoadFile
  onFailure: () => void
  /** The mail server refused the mail for good. */
  onRefusal: (id: number, reason: string) => Promise<void>
}

/** A mail that was sent, and the address that it went to. */
type Sent = { id: number; recipient: string }

/** Sends a stored mail by SMTP, once, and records the outcome. */
export function createDelivery(db: Database, { smtpUrl, sender, loadFile, onFailure, onRefusal }: Setting) {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connections,
    idleTimeout,
    ...timeouts,
  })
  /** Mails that were sent while the database was unavailable: they must not be sent twice. */
  const sentUnrecorded = new Map<number, Sent>()

  async function deliver(id: number, signal: AbortSignal) {
    const [mail] = await db
      .select()
      .from(mails)
      .where(and(eq(mails.id, id), eq(mails.state, 'waiting')))
    if (!mail) return
    const { recipient } = mail
    const sent = sentUnrecorded.get(id) ?? { id, recipient }
    if (!sentUnrecorded.has(id)) {
      try {
        await traced('mail', { 'mail.id': id }, () => sendNow(mail, signal))
      } catch (error) {
        return await noteFailure(mail, error, signal)
      }
      sentUnrecorded.set(id, sent)
    }
    await retryRecording(sent, signal)
    sentUnrecorded.delete(id)
  }

  async function retryRecording(sent: Sent, signal: AbortSignal) {
    const until = performance.now() + recordRetry.forMs
    for (;;) {
      try {
        return await recordSent(sent)
      } catch (error) {
        if (signal.aborted || performance.now() > until) throw error
        logger.warn({ err: error, mail: sent.id }, 'that a mail was sent was not stored; it is tried again')
        await pause(recordRetry.everyMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  let unstored: Sent[] = []
  let storing: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** Stores together what was sent while the one before was stored: each commit waits for the disk. */
  function recordSent(sent: Sent) {
    unstored.push(sent)
    next ??= (storing ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        const sent = unstored
        unstored = []
        storing = next
        next = undefined
        return storeSent(sent)
      })
    return next
  }

  async function storeSent(sent: Sent[]) {
    const stored = await db
      .update(mails)
      .set({ state: 'sent', sentAt: new Date(), attempts: sql`${mails.attempts} + 1`, lastError: null, secret: null })
      .where(or(...sent.map(isStillFor)))
      .returning({ id: mails.id })
    const storedIds = new Set(stored.map(({ id }) => id))
    for (const { id } of sent) if (!storedIds.has(id)) await sendToCorrected(id)
  }

  /** Its address was corrected while it was sent to the former one. */
  async function sendToCorrected(id: number) {
    await db
      .update(mails)
      .set({ heldUntil: null })
      .where(and(eq(mails.id, id), eq(mails.state, 'waiting')))
  }

  async function sendNow(mail: typeof mails.$inferSelect, signal: AbortSignal) {
    const { body, html, unsubscribe } = revealSecret(db, mail)
    const { headers, recipient } = mail
    const from = sender()
    await transport.sendMail({
      messageId: mail.messageId,
      date: mail.createdAt,
      from: { name: headers.fromName ?? from.name, address: from.address },
      envelope: { from: from.address, to: [recipient] },
      // Address objects are not parsed again, so a visitor's text stays one recipient.
      to: (headers.to ?? [recipient]).map(asAddress),
      cc: headers.cc?.map(asAddress),
      replyTo: mail.replyTo ? { name: '', address: mail.replyTo } : undefined,
      subject: mail.subject,
      text: body,
      html: html ?? htmlOfText({ subject: mail.subject, body, language: headers.language }),
      inReplyTo: headers.inReplyTo,
      references: headers.references,
      headers: {
        ...(headers.autoSubmitted !== 'no' && { 'auto-submitted': headers.autoSubmitted ?? 'auto-generated' }),
        ...(unsubscribe && {
          'list-unsubscribe': `<${unsubscribe}>`,
          'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
          precedence: 'bulk',
        }),
      },
      attachments: mail.files.map(({ id, name, type }) => ({
        filename: name,
        contentType: type,
        content: Readable.from(loadFile(id), { objectMode: false }),
      })),
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryLimit)]),
    })
  }

  async function noteFailure({ id, attempts, recipient }: typeof mails.$inferSelect, error: unknown, signal: AbortSignal) {
    // The process stops: the mail is sent by the next one.
    if (signal.aborted) return void (await db.update(mails).set({ heldUntil: null }).where(eq(mails.id, id)))
    onFailure()
    const isOver = attempts + 1 >= mostAttempts || isPermanentRefusal(error)
    const reason = error instanceof Error ? error.message : String(error)
    const wait = Math.min(firstRetryS * 2 ** Math.min(attempts, 10), longestRetryS)
    const noted = await db
      .update(mails)
      .set({
        state: isOver ? 'failed' : 'waiting',
        attempts: sql`${mails.attempts} + 1`,
        lastError: reason.slice(0, 500),
        dueAt: sql`now() + ${wait} * interval '1 second'`,
        heldUntil: null,
      })
      .where(isStillFor({ id, recipient }))
      .returning({ id: mails.id })
    if (noted.length === 0) return await sendToCorrected(id)
    if (isPermanentRefusal(error) && !(error instanceof Undecipherable)) await onRefusal(id, reason)
    logger.warn({ reason, mail: id }, isOver ? 'mail was refused' : 'mail did not leave; it will be tried again')
  }

  return {
    deliver,
    /** Whether it was sent without being stored as such: another process must not take it. */
    wasSent: (id: number) => sentUnrecorded.has(id),
    close: () => transport.close({ force: true }),
  }
}

const isStillFor = ({ id, recipient }: Sent) => and(eq(mails.id, id), eq(mails.recipient, recipient))

const asAddress = (address: string) => ({ name: '', address })

/** True for a permanent rejection of this mail (5xx); errors of the server, the connection or the password are transient. */
function isPermanentRefusal(error: unknown) {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  if (error instanceof Undecipherable) return true
  const isAboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // 503 and 530 are about the session: bad sequence, authentication required.
  return isAboutTheMail && responseCode >= 500 && responseCode !== 503 && responseCode !== 530
}
