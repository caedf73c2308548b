import { randomUUID } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, lte, ne, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { logger } from '../log.ts'
import type { LoadFile } from './mail-delivery.ts'
import { connections, createDelivery } from './mail-delivery.ts'
import { hideSecret } from './mail-secrets.ts'
import type { MailFile, MailHeaders } from './mail-table.ts'
import { mails } from './mail-table.ts'
import type { Queue } from './queue.ts'

export type Mail = {
  /** Taken before with `takeIds`, for a row that names its mail before that is stored. */
  id?: number | null
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
  /** Mails with the same value are sent one after the other, in the order in which they were stored. */
  thread?: string
  /** Not sent after this moment; by default not after the company's period for waiting mails. */
  endsAt?: Date
}

/** One text for many: the secret of each stands where `secretMarker` is. They leave after other mails, unless urgent. */
export type Bulk = {
  mail: Omit<Mail, 'to' | 'secret' | 'messageId' | 'thread'>
  recipients: { to: string; secret: string; thread?: string }[]
  isUrgent?: boolean
}

/** Learns of mails that could not be delivered, by their ids. */
export type BounceListener = (tx: Database, mailIds: number[], reason: string) => Promise<number>

/** How long a process holds mails that it took: longer than it takes to send them. */
const holdS = 90
/** A process that is late starts no mail of those it took, so that no other one sends it too. */
const latestStartMs = 20_000
/** Mails that one statement takes for each connection. */
const portion = 10
/** When the process stops, a mail that is being sent gets this time. */
const stopMs = 4_000

/** Stores mails for the running product to send, for a command that runs beside it. */
export function createMailStore(from: string) {
  const host = from.slice(from.indexOf('@') + 1)
  return {
    async enqueue(tx: Database, mail: Mail) {
      const [id] = await this.enqueueAll(tx, [mail])
      if (id === undefined) throw new Error('the mail was not stored')
      return id
    },
    /** Returns the ids in the order of the mails. */
    async enqueueAll(tx: Database, all: readonly Mail[]) {
      if (all.length === 0) return []
      const rows = all.map((mail) => {
        const messageId = mail.messageId ?? `<${randomUUID()}@${host}>`
        return {
          ...(mail.id && { id: mail.id }),
          messageId,
          recipient: mail.to,
          replyTo: mail.replyTo ?? null,
          subject: mail.subject,
          body: mail.body,
          html: mail.html ?? null,
          headers: mail.headers ?? {},
          files: mail.files ?? [],
          thread: mail.thread ?? null,
          endsAt: mail.endsAt ?? null,
          ...(mail.secret ? hideSecret(tx, messageId, mail, mail.secret) : {}),
        }
      })
      return insertMails(tx, rows)
    },
  }
}

/** Returns the ids in the order of the rows. */
async function insertMails(tx: Database, rows: Omit<typeof mails.$inferInsert, 'dueAt'>[]) {
  const due = rows.map((row) => ({ ...row, dueAt: sql`now()` }))
  const stored = await tx.insert(mails).values(due).returning({ id: mails.id, messageId: mails.messageId })
  const idOf = new Map(stored.map(({ id, messageId }) => [messageId, id]))
  return rows.map(({ messageId }) => idOf.get(messageId) ?? 0)
}

type MailerOptions = {
  defaultFrom: string
  fromName?: string
  /** No other process sends mails of this database. */
  isOnlyProcess?: boolean
  onFailure: () => void
}

/** Sends mail from a queue that survives restarts: at least once, with a stable Message-ID. */
export function createMailer(db: Database, queue: Queue, config: Pick<Config, 'smtpUrl' | 'mailFrom'>, options: MailerOptions) {
  const { isOnlyProcess = false, onFailure } = options
  // The company may change both while the product runs.
  const sender = () => ({ address: config.mailFrom ?? options.defaultFrom, name: options.fromName ?? '' })
  const from = sender().address
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
    ? createDelivery(db, { smtpUrl: config.smtpUrl, sender, loadFile, onFailure, onRefusal })
    : undefined

  if (delivery) {
    queue.recur({
      most: connections,
      isBacklog: true,
      take: takePortions,
      count: { name: 'mail', read: () => db.$count(mails, eq(mails.state, 'waiting')) },
    })
  }

  let isFirst = isOnlyProcess
  let sending: AbortController | undefined
  /** One list of mails for each free connection. */
  async function takePortions(count: number, stopping: AbortSignal) {
    // A process that was killed holds mails no longer.
    if (isFirst)
      await db
        .update(mails)
        .set({ dueAt: sql`now()`, heldUntil: null })
        .where(and(eq(mails.state, 'waiting'), eq(mails.isImported, false)))
    isFirst = false
    sending ??= abortLater(stopping)
    const { signal } = sending
    const takenAt = performance.now()
    const taken = await takeDue(db, count * portion)
    const send = async () => {
      for (let next = taken.shift(); next !== undefined; next = taken.shift()) {
        if (stopping.aborted || performance.now() > takenAt + latestStartMs) return release([next, ...taken.splice(0)])
        const id = next
        await delivery?.deliver(id, signal).catch((error: unknown) => {
          logger.error({ err: error, mail: id }, 'the outcome of a mail was not stored; it is tried again')
          // A mail that was sent stays held; if this release fails too, the hold expires.
          return delivery.wasSent(id) ? undefined : release([id]).catch(() => undefined)
        })
      }
    }
    return taken.slice(0, count).map(() => send)
  }

  const release = async (ids: number[]) => {
    await db
      .update(mails)
      .set({ heldUntil: null })
      .where(and(inArray(mails.id, ids), eq(mails.state, 'waiting')))
  }

  return {
    canSend: delivery !== undefined,
    /** Stores a mail in the caller's transaction and returns its id; it is sent after the commit. */
    enqueue: (tx: Database, mail: Mail) => store.enqueue(tx, mail),
    enqueueAll: (tx: Database, all: readonly Mail[]) => store.enqueueAll(tx, all),
    /** Ids for mails that are stored later in the same transaction. */
    async takeIds(tx: Database, count: number) {
      const taken = await tx.execute(sql`select nextval('mails_id_seq')::int as id from generate_series(1, ${count}::int)`)
      return (taken as { rows: { id: number }[] }).rows.map(({ id }) => id)
    },
    /** Stores one text for many recipients in the caller's transaction; returns the ids in the order of the recipients. */
    async enqueueBulk(tx: Database, { mail, recipients, isUrgent = false }: Bulk) {
      if (recipients.length === 0) return []
      const { headers = {}, ...texts } = mail
      const rows = recipients.map(({ to, secret, thread }) => {
        const messageId = `<${randomUUID()}@${host}>`
        return {
          messageId,
          recipient: to,
          replyTo: texts.replyTo ?? null,
          subject: texts.subject,
          headers,
          thread: thread ?? null,
          isBulk: !isUrgent,
          endsAt: texts.endsAt ?? null,
          ...hideSecret(tx, messageId, { body: texts.body, html: texts.html ?? null }, secret),
        }
      })
      return insertMails(tx, rows)
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
      await tx
        .update(mails)
        .set({ ...dueNow, sentAt: null })
        .where(eq(mails.id, id))
    },
    /** Retries an unsent mail at once; returns false where it was already sent. */
    async retry(id: number) {
      const found = await db
        .update(mails)
        .set(dueNow)
        .where(and(eq(mails.id, id), ne(mails.state, 'sent')))
        .returning({ id: mails.id })
      return found.length > 0
    },
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

const dueNow = {
  state: 'waiting',
  attempts: sql`case when ${mails.state} = 'waiting' then ${mails.attempts} else 0 end`,
  lastError: null,
  dueAt: sql`now()`,
  // One that is being sent now stays held; one that was sent may still be.
  heldUntil: sql`case when ${mails.state} = 'waiting' then ${mails.heldUntil} end`,
  endsAt: null,
  isImported: false,
} as const

function abortLater(stopping: AbortSignal) {
  const later = new AbortController()
  stopping.addEventListener('abort', () => setTimeout(() => later.abort(), stopMs).unref(), { once: true })
  return later
}

const earlier = alias(mails, 'earlier')

/** Takes mails that are due, for this process alone; of a thread only the first that was not sent. */
async function takeDue(db: Database, count: number) {
  const isFirstOfThread = notExists(
    db
      .select({ one: sql`1` })
      .from(earlier)
      .where(
        and(
          eq(earlier.thread, mails.thread),
          eq(earlier.state, 'waiting'),
          eq(earlier.isImported, false),
          lt(earlier.id, mails.id),
        ),
      ),
  )
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        sql`${mails.state} = 'waiting'`,
        lte(mails.dueAt, sql`now()`),
        eq(mails.isImported, false),
        or(isNull(mails.heldUntil), lt(mails.heldUntil, sql`now()`)),
        or(isNull(mails.endsAt), gt(mails.endsAt, sql`now()`)),
        or(isNull(mails.thread), isFirstOfThread),
      ),
    )
    .orderBy(mails.isBulk, mails.dueAt, mails.id)
    .limit(count)
    .for('update', { skipLocked: true })
  const taken = await db.transaction(async (tx) => {
    // Without statistics of a table that filled up at once, the planner would read and sort all that waits.
    await tx.execute(sql`set local enable_bitmapscan = off`)
    await tx.execute(sql`set local enable_sort = off`)
    return tx
      .update(mails)
      .set({ heldUntil: sql`now() + ${holdS} * interval '1 second'` })
      .where(inArray(mails.id, due))
      .returning({ id: mails.id, isBulk: mails.isBulk })
  })
  return taken.toSorted((one, other) => Number(one.isBulk) - Number(other.isBulk) || one.id - other.id).map(({ id }) => id)
}
