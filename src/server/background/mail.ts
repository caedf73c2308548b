import { randomUUID } from 'node:crypto'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { LoadFile } from './mail-delivery.ts'
import { createDelivery } from './mail-delivery.ts'
import { hideSecret } from './mail-secrets.ts'
import type { MailFile, MailHeaders } from './mail-table.ts'
import { mails } from './mail-table.ts'
import type { Queue } from './queue.ts'

export type Mail = {
  to: string
  replyTo?: string
  subject: string
  body: string
  html?: string
  /** Made by the caller, where a reply has to find its way back; random by default. */
  messageId?: string
  headers?: MailHeaders
  files?: MailFile[]
  /** Secret part of the texts, such as the token of a link; stored encrypted until the mail was sent. */
  secret?: string
}

/** One text for many: the secret of each stands where `secretMarker` is. They leave after other mails, unless urgent. */
export type Bulk = {
  mail: Omit<Mail, 'to' | 'secret' | 'messageId'>
  recipients: { to: string; secret: string }[]
  isUrgent?: boolean
}

/** Learns of mails that could not be delivered, by their ids. */
export type BounceListener = (tx: Database, mailIds: number[], reason: string) => Promise<number>

const queueName = 'mail'
/** Mails to many leave after those that somebody waits for. */
const bulkPriority = -1
/** Retries for five days, at first within seconds, then every two minutes. */
const rules = { retryLimit: 3_600, retryDelay: 5, retryBackoff: true, retryDelayMax: 120, expireInSeconds: 90 }

/** Stores mails for the running product to send within five minutes, for a command that runs beside it. */
export function createMailStore(from: string) {
  const host = from.slice(from.indexOf('@') + 1)
  return {
    async enqueue(tx: Database, mail: Mail) {
      const messageId = mail.messageId ?? `<${randomUUID()}@${host}>`
      const [stored] = await tx
        .insert(mails)
        .values({
          messageId,
          recipient: mail.to,
          replyTo: mail.replyTo ?? null,
          subject: mail.subject,
          body: mail.body,
          html: mail.html ?? null,
          headers: mail.headers ?? {},
          files: mail.files ?? [],
          ...(mail.secret ? hideSecret(tx, messageId, mail, mail.secret) : {}),
        })
        .returning({ id: mails.id })
      if (!stored) throw new Error('the mail was not stored')
      return stored.id
    },
  }
}

/** Sends mail from a queue that survives restarts: at least once, with a stable Message-ID. */
export function createMailer(
  db: Database,
  queue: Queue,
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  { defaultFrom, fromName = '', onFailure }: { defaultFrom: string; fromName?: string; onFailure: () => void },
) {
  const from = config.mailFrom ?? defaultFrom
  const files: { load: LoadFile } = {
    load: () => {
      throw new Error('no feature provides the files of mails')
    },
  }
  const store = createMailStore(from)
  const host = from.slice(from.indexOf('@') + 1)
  const bounceListeners: BounceListener[] = []
  const publishBounce = async (tx: Database, mailIds: number[], reason: string) => {
    let count = 0
    for (const listener of bounceListeners) count += await listener(tx, mailIds, reason)
    return count
  }
  const onRefusal = async (id: number, reason: string) => {
    await db.transaction((tx) => publishBounce(tx, [id], reason))
  }
  const loadFile: LoadFile = (id) => files.load(id)
  const delivery = config.smtpUrl
    ? createDelivery(db, { smtpUrl: config.smtpUrl, from, fromName, loadFile, onFailure, onRefusal })
    : undefined

  if (delivery) {
    queue.define<{ id: number }>(queueName, rules, ({ id }, { retryCount, signal }) =>
      delivery.deliver(id, { isLast: retryCount >= rules.retryLimit, signal }),
    )
    queue.schedule('mail-kept', '*/5 * * * *', queueWaiting)
  }

  /** Queues waiting mails without a job, such as those stored while there was no `SMTP_URL`. */
  async function queueWaiting() {
    if (!delivery) return
    const waiting = await db.select({ id: mails.id }).from(mails).where(eq(mails.state, 'waiting'))
    await queue.sendAll(
      queueName,
      waiting.map(({ id }) => workFor(id)),
    )
  }

  return {
    canSend: delivery !== undefined,
    /** Stores a mail in the caller's transaction and returns its id; it is sent after the commit. */
    async enqueue(tx: Database, mail: Mail) {
      const id = await store.enqueue(tx, mail)
      if (delivery) await queue.send(tx, queueName, workFor(id))
      return id
    },
    /** Stores one text for many recipients in the caller's transaction; returns the ids in the order of the recipients. */
    async enqueueBulk(tx: Database, { mail, recipients, isUrgent = false }: Bulk) {
      if (recipients.length === 0) return []
      const { headers = {}, ...texts } = { ...mail }
      const rows = recipients.map(({ to, secret }) => {
        const messageId = `<${randomUUID()}@${host}>`
        return {
          messageId,
          recipient: to,
          replyTo: texts.replyTo ?? null,
          subject: texts.subject,
          headers,
          ...hideSecret(tx, messageId, { body: texts.body, html: texts.html ?? null }, secret),
        }
      })
      const stored = await tx.insert(mails).values(rows).returning({ id: mails.id, messageId: mails.messageId })
      const idOf = new Map(stored.map((row) => [row.messageId, row.id]))
      const ids = rows.map((row) => idOf.get(row.messageId) ?? 0)
      if (delivery) {
        await queue.sendAll(
          queueName,
          ids.map((id) => ({ ...workFor(id), priority: isUrgent ? 0 : bulkPriority })),
          tx,
        )
      }
      return ids
    },
    onBounce: (listener: BounceListener) => void bounceListeners.push(listener),
    /** Returns how many mails with these Message-IDs a feature knew as its own. */
    async noteBounce(tx: Database, messageIds: string[], reason: string) {
      if (messageIds.length === 0 || bounceListeners.length === 0) return 0
      const found = await tx.select({ id: mails.id }).from(mails).where(inArray(mails.messageId, messageIds))
      return found.length === 0
        ? 0
        : publishBounce(
            tx,
            found.map(({ id }) => id),
            reason,
          )
    },
    /** Sends a mail that did not arrive again, in the caller's transaction: one that was refused, or that came back. */
    async resend(tx: Database, id: number) {
      await tx.update(mails).set({ state: 'waiting', lastError: null, sentAt: null }).where(eq(mails.id, id))
      if (delivery) await queue.wake(tx, queueName, workFor(id))
    },
    /** Retries an unsent mail at once; returns false where it was already sent. */
    async retry(id: number) {
      return db.transaction(async (tx) => {
        const found = await tx
          .update(mails)
          .set({ state: 'waiting', lastError: null })
          .where(and(eq(mails.id, id), ne(mails.state, 'sent')))
          .returning({ id: mails.id })
        if (found.length > 0 && delivery) await queue.wake(tx, queueName, workFor(id))
        return found.length > 0
      })
    },
    queueWaiting,
    /** Domain of the sender, for message ids. */
    host,
    /** Sets how the files of mails are read. */
    provideFiles(load: LoadFile) {
      files.load = load
    },
    close: () => delivery?.close(),
  }
}

export type Mailer = ReturnType<typeof createMailer>

const workFor = (id: number) => ({ data: { id }, key: String(id) })
