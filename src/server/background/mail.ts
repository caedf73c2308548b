import { randomUUID } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
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

const queueName = 'mail'
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
  const delivery = config.smtpUrl
    ? createDelivery(db, { smtpUrl: config.smtpUrl, from, fromName, loadFile: (id) => files.load(id), onFailure })
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
    host: from.slice(from.indexOf('@') + 1),
    /** Sets how the files of mails are read. */
    provideFiles(load: LoadFile) {
      files.load = load
    },
    close: () => delivery?.close(),
  }
}

export type Mailer = ReturnType<typeof createMailer>

const workFor = (id: number) => ({ data: { id }, key: String(id) })
