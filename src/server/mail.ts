import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import nodemailer from 'nodemailer'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { logger } from './log.ts'
import { mails } from './mail-table.ts'
import type { Queue } from './queue.ts'

export type Mail = { to: string; replyTo?: string; subject: string; body: string; html?: string }

const queueName = 'mail'
const mailRetries = { retryLimit: 40, retryDelay: 5, retryBackoff: true, retryDelayMax: 1800, expireInSeconds: 300 }

/** Mail leaves from a queue that survives restarts: at least once, with a stable Message-ID (contract.md 3). */
export function createMailer(db: Database, queue: Queue, config: Pick<Config, 'smtpUrl' | 'mailFrom'>, defaultFrom: string) {
  const from = config.mailFrom ?? defaultFrom
  const host = from.slice(from.indexOf('@') + 1)
  const transport = config.smtpUrl
    ? nodemailer.createTransport(config.smtpUrl, undefined)
    : undefined

  if (transport) queue.define<{ id: number }>(queueName, mailRetries, ({ id }) => deliver(id))

  async function deliver(id: number) {
    const [mail] = await db.select().from(mails).where(and(eq(mails.id, id), eq(mails.state, 'waiting')))
    if (!mail || !transport) return
    try {
      await transport.sendMail({
        messageId: mail.messageId,
        from,
        to: { name: '', address: mail.recipient },
        replyTo: mail.replyTo ? { name: '', address: mail.replyTo } : undefined,
        subject: mail.subject,
        text: mail.body,
        html: mail.html ?? undefined,
      })
      await db.update(mails).set({ state: 'sent', sentAt: new Date(), attempts: sql`${mails.attempts} + 1`, lastError: null }).where(eq(mails.id, id))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      await db.update(mails).set({ attempts: sql`${mails.attempts} + 1`, lastError: reason.slice(0, 500) }).where(eq(mails.id, id))
      logger.warn({ err: error, mail: id }, 'mail did not leave; it will be tried again')
      throw error
    }
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
      if (transport) await queue.send(tx, queueName, { id: stored.id })
      return stored.id
    },
    /** Gives a mail another chance at once, whatever became of the earlier ones. */
    async retry(id: number) {
      await db.update(mails).set({ state: 'waiting', lastError: null }).where(eq(mails.id, id))
      if (transport) await queue.send(db, queueName, { id })
    },
    /** Puts in the queue what was stored while there was no `SMTP_URL`. */
    async sendKept() {
      if (!transport) return
      const kept = await db.select({ id: mails.id }).from(mails).where(and(eq(mails.state, 'waiting'), eq(mails.attempts, 0)))
      for (const { id } of kept) await queue.send(db, queueName, { id }, { singletonKey: `kept-${id}` })
    },
    close: () => transport?.close(),
  }
}

export type Mailer = ReturnType<typeof createMailer>
