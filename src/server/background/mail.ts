import { randomUUID } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { logger } from '../log.ts'
import { mails } from './mail-table.ts'
import type { Queue } from './queue.ts'
import { traced } from '../observability/tracing.ts'

export type Mail = { to: string; replyTo?: string; subject: string; body: string; html?: string }

const queueName = 'mail'
/** Tried again for five days, at first within seconds, then every two minutes. */
const rules = { retryLimit: 3_600, retryDelay: 5, retryBackoff: true, retryDelayMax: 120, expireInSeconds: 90 }
/** A server that answers a byte a minute keeps no connection longer than this. */
const deliveryLimit = 60_000
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000 }

/** Mail leaves from a queue that survives restarts: at least once, with a stable Message-ID (contract.md 3). */
export function createMailer(
  db: Database,
  queue: Queue,
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  { defaultFrom, onFailure }: { defaultFrom: string; onFailure: () => void },
) {
  const from = config.mailFrom ?? defaultFrom
  const host = from.slice(from.indexOf('@') + 1)
  const transport = config.smtpUrl ? nodemailer.createTransport({ url: config.smtpUrl, ...timeouts }) : undefined
  /** Ids of mails that were sent while the database could not record it: they must not be sent twice. */
  const sentUnrecorded = new Set<number>()

  if (transport) {
    queue.define<{ id: number }>(queueName, rules, ({ id }, job) => deliver(id, job))
    queue.schedule('mail-kept', '*/5 * * * *', queueWaiting)
  }

  async function deliver(id: number, { retryCount, signal }: { retryCount: number; signal: AbortSignal }) {
    const [mail] = await db
      .select()
      .from(mails)
      .where(and(eq(mails.id, id), eq(mails.state, 'waiting')))
    if (!mail) return
    if (!sentUnrecorded.has(id)) {
      try {
        await traced('mail', { 'mail.id': id }, () => sendNow(mail, signal))
      } catch (error) {
        return await noteFailure(id, error, retryCount >= rules.retryLimit)
      }
      sentUnrecorded.add(id)
    }
    await db
      .update(mails)
      .set({ state: 'sent', sentAt: new Date(), attempts: sql`${mails.attempts} + 1`, lastError: null })
      .where(eq(mails.id, id))
    sentUnrecorded.delete(id)
  }

  async function sendNow(mail: typeof mails.$inferSelect, signal: AbortSignal) {
    await transport?.sendMail({
      messageId: mail.messageId,
      date: mail.createdAt,
      from,
      // Addresses as objects are never parsed again: what a visitor wrote stays one recipient.
      to: { name: '', address: mail.recipient },
      replyTo: mail.replyTo ? { name: '', address: mail.replyTo } : undefined,
      subject: mail.subject,
      text: mail.body,
      html: mail.html ?? undefined,
      headers: { 'auto-submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryLimit)]),
    })
  }

  async function noteFailure(id: number, error: unknown, wasLast: boolean) {
    onFailure()
    const isOver = wasLast || isRefusedForGood(error)
    const reason = error instanceof Error ? error.message : String(error)
    await db
      .update(mails)
      .set({ state: isOver ? 'failed' : 'waiting', attempts: sql`${mails.attempts} + 1`, lastError: reason.slice(0, 500) })
      .where(eq(mails.id, id))
    logger.warn({ reason, mail: id }, isOver ? 'mail was refused' : 'mail did not leave; it will be tried again')
    if (!isOver) throw error
  }

  /** Queues the mails that wait without a job, such as those stored while there was no `SMTP_URL`. */
  async function queueWaiting() {
    if (!transport) return
    const kept = await db.select({ id: mails.id }).from(mails).where(eq(mails.state, 'waiting'))
    await queue.sendAll(
      queueName,
      kept.map(({ id }) => workFor(id)),
    )
  }

  return {
    canSend: transport !== undefined,
    /** Stores a mail in the caller's transaction and answers its id; it leaves once that commits. */
    async enqueue(tx: Database, mail: Mail) {
      const [stored] = await tx
        .insert(mails)
        .values({
          messageId: `<${randomUUID()}@${host}>`,
          recipient: mail.to,
          replyTo: mail.replyTo ?? null,
          subject: mail.subject,
          body: mail.body,
          html: mail.html ?? null,
        })
        .returning({ id: mails.id })
      if (!stored) throw new Error('the mail was not stored')
      if (transport) await queue.send(tx, queueName, workFor(stored.id))
      return stored.id
    },
    /** Gives a mail that has not left another chance at once; false where it has. */
    async retry(id: number) {
      return db.transaction(async (tx) => {
        const found = await tx
          .update(mails)
          .set({ state: 'waiting', lastError: null })
          .where(and(eq(mails.id, id), ne(mails.state, 'sent')))
          .returning({ id: mails.id })
        if (found.length > 0 && transport) await queue.wake(tx, queueName, workFor(id))
        return found.length > 0
      })
    },
    queueWaiting,
    close: () => transport?.close(),
  }
}

export type Mailer = ReturnType<typeof createMailer>

const workFor = (id: number) => ({ data: { id }, key: String(id) })

/** A refusal of this very mail (5xx) stays one; trouble with the server, the connection or the password may pass. */
function isRefusedForGood(error: unknown) {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  const isAboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // 503 and 530 speak of the session: out of order, log in first.
  return isAboutTheMail && responseCode >= 500 && responseCode !== 503 && responseCode !== 530
}
