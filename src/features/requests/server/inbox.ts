import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, count, eq, gt, gte, inArray, isNull, lt, max, or } from 'drizzle-orm'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { company } from '#company/company.ts'
import type { Database } from '#src/server/database/database.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { translateAll } from '#src/lib/form-result.ts'
import type { Language } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import { formatDateTime } from '#src/lib/time/date-time.ts'
import type { HealthReport } from '#src/features/content/server/feature.ts'
import { inboxTexts, mailTexts } from '../server-texts.ts'
import type { InboxState } from '../values.ts'
import { recipientOf } from './mail-out.ts'
import { describeFault, describeUnreadable, noteFault, openMailbox } from './mailbox.ts'
import { inboxMails, inboxState } from './table.ts'
import { mailMaxBytes, noteUnreadable, oldMailMs, takeMail } from './take-mail.ts'

const folders = { done: ['Guichet', 'Traités'], review: ['Guichet', 'À trier'] }
const leaseMs = 20_000
const idleMs = 60_000
const retryMs = { first: 2_000, most: 60_000 }
const batch = 25
/** Moving one mail or hundreds takes a server the same time, which grows with the mailbox. */
const filedTogether = 500
/** Mails up to this size are fetched together. */
const smallBytes = 200_000
/** A mail is followed by a rest as long as it took, for the pages, and at most so long. */
const longestRestMs = 500
const noticeEveryMs = 3_600_000
/** A mail counts as not stored after this many failures over this time: a full disk can fail every mail for a moment. */
const mostFailures = { tries: 3, ms: 120_000 }
/** A mail that was not stored is retried after this time. */
const againMs = 600_000
const behindMs = 300_000
const theRow = 1

/** Reads the mailbox of `IMAP_URL` for as long as the product runs: IDLE, and a pass over the mails after each sign of it. */
export function followInbox(app: App) {
  const { imapUrl, databaseUrl } = app.config
  if (!imapUrl) return
  const holder = randomUUID()
  const stopping = new AbortController()
  let current: ImapFlow | undefined
  const failed = new Map<number, { tries: number; since: number }>()
  let following: Promise<void> | undefined

  const follow = async () => {
    let wait = retryMs.first
    while (!stopping.signal.aborted) {
      try {
        // The embedded database has one process.
        if (databaseUrl === undefined || (await takeLease(app.db, holder))) {
          await readInbox()
          wait = retryMs.first
          continue
        }
        wait = leaseMs / 2
      } catch (error) {
        if (stopping.signal.aborted) return
        logger.warn({ err: error }, 'the mailbox could not be read; it is tried again')
        const lastError = noteFault(error, imapUrl.replace(/^.*\//, ''))
        await noteState(app.db, { lastError }).catch(() => undefined)
        wait = Math.min(wait * 2, retryMs.most)
      }
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  async function readInbox() {
    const { client, mailbox } = openMailbox(imapUrl ?? '')
    current = client
    let failure: unknown
    client.on('error', (error) => (failure = error))
    const news = createSignal()
    client.on('exists', news.raise)
    client.on('close', news.raise)
    try {
      await client.connect()
      const places = { done: await ensureFolder(client, folders.done), review: await ensureFolder(client, folders.review) }
      await client.mailboxOpen(mailbox)
      while (!stopping.signal.aborted && client.usable) {
        news.lower()
        await readAll(client, places)
        await noteState(app.db, { lastPassAt: new Date(), lastError: null })
        client.idle().catch(news.raise)
        await news.wait(idleMs)
        if (failure) throw failure
        if (databaseUrl !== undefined && !(await takeLease(app.db, holder))) return
      }
    } finally {
      client.close()
      current = undefined
    }
  }

  /** Takes every mail of the mailbox that is not known yet, and files those that are. */
  async function readAll(client: ImapFlow, places: { done: string; review: string }) {
    const opened = client.mailbox
    if (!opened) return
    const uidValidity = Number(opened.uidValidity)
    const found = await client.search({ all: true }, { uid: true })
    if (!found) throw new Error('the mails could not be listed')
    const uids = found.toSorted((one, other) => one - other)
    await forgetRemoved(app.db, uidValidity, uids)
    await forgetNotStored(app.db)
    const toFile = new Map<number, InboxState>()
    const startedAt = new Date()
    for (let start = 0; start < uids.length && !stopping.signal.aborted; start += batch) {
      const some = uids.slice(start, start + batch)
      const known = await findKnown(app.db, uidValidity, some)
      const unknown = some.filter((uid) => !known.has(uid))
      const fetched = new Map((await fetchTogether(client, unknown)).map((mail) => [mail.uid, mail]))
      for (const uid of some) {
        if (stopping.signal.aborted) break
        const mail = fetched.get(uid)
        const begunAt = performance.now()
        const state = known.get(uid) ?? (mail ? await takeOne(client, uidValidity, mail) : null)
        if (state && state !== 'unreadable') toFile.set(uid, state)
        // A page takes many turns of the event loop: with a mail before each of them it would wait for all those mails.
        if (!known.has(uid)) await pause(Math.min(performance.now() - begunAt, longestRestMs))
      }
      if (toFile.size >= filedTogether || start + batch >= uids.length) {
        await fileAll(client, places, toFile)
        await noteFiled(app.db, uidValidity, [...toFile.keys()])
        toFile.clear()
      }
      if (databaseUrl !== undefined && !(await takeLease(app.db, holder))) throw new Error('another instance reads the mailbox')
    }
    await noticeFlood(app)
    await noticeOld(app, startedAt)
  }

  async function takeOne(client: ImapFlow, uidValidity: number, facts: FetchMessageObject): Promise<InboxState | null> {
    const { uid } = facts
    const receivedAt = new Date(facts.internalDate ?? Date.now())
    const place = { uidValidity, uid, size: facts.size ?? 0, receivedAt }
    const { envelope } = facts
    const named = {
      from: envelope?.from?.[0]?.address ?? '',
      subject: (envelope?.subject ?? '').replaceAll('\0', '').toWellFormed(),
    }
    if (place.size > mailMaxBytes) return noteUnreadable(app.db, place, 'too large', named)
    const mail = facts.source ? facts : await client.fetchOne(String(uid), { source: true }, { uid: true })
    if (!mail || !mail.source) return null
    try {
      return await takeMail(app, place, mail.source, named)
    } catch (error) {
      // A database that is away holds up all mails; one mail that cannot be stored must not hold up the others.
      await app.db.$count(inboxState)
      const now = performance.now()
      const { tries, since } = failed.get(uid) ?? { tries: 0, since: now }
      failed.set(uid, { tries: tries + 1, since })
      logger.error({ err: error, uid, tries: tries + 1 }, 'a mail could not be stored: it stays in the mailbox')
      const isNamed = tries + 1 >= mostFailures.tries && now - since >= mostFailures.ms
      return isNamed ? noteUnreadable(app.db, place, 'not stored', named) : null
    }
  }

  const close = () => {
    stopping.abort()
    current?.close()
  }
  return {
    start: () => (following ??= follow()),
    async stop() {
      close()
      await following
    },
  }
}

async function ensureFolder(client: ImapFlow, path: string[]) {
  const created = await client.mailboxCreate(path)
  await client.mailboxSubscribe(created.path).catch(() => undefined)
  return created.path
}

/** Facts of mails, and the source of small ones: a command for each mail takes longer than storing it. */
async function fetchTogether(client: ImapFlow, uids: number[]) {
  if (uids.length === 0) return []
  const query = { size: true, internalDate: true, envelope: true } as const
  const facts = await client.fetchAll(uids, query, { uid: true })
  const small = facts.filter(({ size }) => size !== undefined && size <= smallBytes).map(({ uid }) => uid)
  if (small.length === 0) return facts
  const sources = new Map((await client.fetchAll(small, { source: true }, { uid: true })).map((one) => [one.uid, one.source]))
  return facts.map((one) => ({ ...one, source: sources.get(one.uid) }))
}

/** Mails of these numbers that were taken, with what became of them. */
async function findKnown(db: Database, uidValidity: number, uids: number[]) {
  const rows = await db
    .select({ uid: inboxMails.uid, state: inboxMails.state })
    .from(inboxMails)
    .where(and(eq(inboxMails.uidValidity, uidValidity), inArray(inboxMails.uid, uids)))
  return new Map(rows.map(({ uid, state }) => [uid, state]))
}

/** A mail that could not be read is named for as long as it is in the mailbox; somebody read it, and moved or deleted it. */
async function forgetRemoved(db: Database, uidValidity: number, uids: number[]) {
  const named = await db.select().from(inboxMails).where(eq(inboxMails.state, 'unreadable'))
  if (named.length === 0) return
  const present = new Set(uids)
  const gone = named.filter((mail) => mail.uidValidity !== uidValidity || !present.has(mail.uid)).map(({ id }) => id)
  if (gone.length > 0) await db.delete(inboxMails).where(inArray(inboxMails.id, gone))
}

/** Unknown mails are taken by the pass that follows. */
async function forgetNotStored(db: Database) {
  const before = new Date(Date.now() - againMs)
  await db
    .delete(inboxMails)
    .where(and(eq(inboxMails.state, 'unreadable'), eq(inboxMails.reason, 'not stored'), lt(inboxMails.takenAt, before)))
}

const forReview = new Set<InboxState>(['waiting', 'dismissed'])

/** Marks stored mails as read and moves them; the next pass repeats it after a kill. */
async function fileAll(client: ImapFlow, places: { done: string; review: string }, states: Map<number, InboxState>) {
  for (const [place, isReview] of [
    [places.done, false],
    [places.review, true],
  ] as const) {
    const uids = [...states].flatMap(([uid, state]) => (forReview.has(state) === isReview ? uid : []))
    if (uids.length === 0) continue
    await client.messageFlagsAdd(uids, ['\\Seen'], { uid: true })
    await client.messageMove(uids, place, { uid: true })
  }
}

async function noteFiled(db: Database, uidValidity: number, uids: number[]) {
  if (uids.length === 0) return
  await db
    .update(inboxMails)
    .set({ isFiled: true })
    .where(and(eq(inboxMails.uidValidity, uidValidity), inArray(inboxMails.uid, uids)))
}

/** Waits until something is signalled, or was since it was lowered, or the time is over. */
function createSignal() {
  let waiting = Promise.withResolvers<void>()
  return {
    raise: () => waiting.resolve(),
    lower() {
      waiting = Promise.withResolvers<void>()
    },
    async wait(ms: number) {
      const timer = setTimeout(waiting.resolve, ms)
      await waiting.promise
      clearTimeout(timer)
    },
  }
}

/** One instance reads the mailbox: it renews its claim, and another takes over once that is out of date. */
export async function takeLease(db: Database, holder: string, now = new Date()) {
  const row = { holder, heldUntil: new Date(now.getTime() + leaseMs) }
  const [taken] = await db
    .insert(inboxState)
    .values({ id: theRow, ...row })
    .onConflictDoUpdate({
      target: inboxState.id,
      set: row,
      setWhere: or(
        eq(inboxState.holder, holder),
        isNull(inboxState.heldUntil),
        lt(inboxState.heldUntil, now),
        // No claim lasts so long: the clock of whoever made it was wrong.
        gt(inboxState.heldUntil, new Date(now.getTime() + 2 * leaseMs)),
      ),
    })
    .returning({ id: inboxState.id })
  return taken !== undefined
}

async function noteState(db: Database, state: Partial<Omit<typeof inboxState.$inferInsert, 'id'>>) {
  await db
    .insert(inboxState)
    .values({ id: theRow, ...state })
    .onConflictDoUpdate({ target: inboxState.id, set: state })
}

/** Writes to the staff once that mail waits because one address sent too much; again, after an hour, only of what came since. */
async function noticeFlood({ db, mailer, config }: App, now = new Date()) {
  const [waiting] = await db
    .select({ count: count(), latestAt: max(inboxMails.takenAt) })
    .from(inboxMails)
    .where(and(eq(inboxMails.state, 'waiting'), eq(inboxMails.reason, 'too many')))
  if (!waiting?.latestAt) return
  const [state] = await db.select().from(inboxState)
  const isRecent = state?.lastNoticeAt && now.getTime() - state.lastNoticeAt.getTime() < noticeEveryMs
  if (isRecent || (state?.lastNoticeAt && waiting.latestAt <= state.lastNoticeAt)) return
  await db.transaction(async (tx) => {
    await mailStaff(tx, { mailer, config }, 'flood', waiting.count, '?status=suspected')
    await noteState(tx, { lastNoticeAt: now })
  })
}

/** Writes to the staff once about the old mail that a pass found, instead of once for each. */
async function noticeOld({ db, mailer, config }: App, startedAt: Date) {
  const isFromOld = and(
    eq(inboxMails.state, 'created'),
    gte(inboxMails.takenAt, startedAt),
    lt(inboxMails.receivedAt, new Date(startedAt.getTime() - oldMailMs)),
  )
  const count = await db.$count(inboxMails, isFromOld)
  if (count > 0) await db.transaction((tx) => mailStaff(tx, { mailer, config }, 'old', count, ''))
}

async function mailStaff(
  tx: Database,
  { mailer, config }: Pick<App, 'mailer' | 'config'>,
  notice: 'flood' | 'old',
  count: number,
  query: string,
) {
  const address = config.publicUrl ? `${config.publicUrl}/admin/demandes${query}` : ''
  const [fr, en] = [translator(mailTexts, 'fr'), translator(mailTexts, 'en')]
  const values = { count, company: company.name }
  await mailer.enqueue(tx, {
    to: recipientOf(config, 'support'),
    subject: `${fr(`${notice}Subject`, values)} / ${en(`${notice}Subject`, values)}`,
    body: [fr, en].map((t) => `${t(`${notice}Body`, values)}\n${address}\n`).join('\n---\n\n'),
  })
}

/** State of the mailbox for the page of the system's health; every mail that could not be read is named. */
export async function findInboxHealth({ db, config }: App): Promise<HealthReport | null> {
  if (!config.imapUrl) return null
  const [state] = await db.select().from(inboxState)
  const named = await db
    .select({ from: inboxMails.fromAddress, subject: inboxMails.subject, reason: inboxMails.reason })
    .from(inboxMails)
    .where(eq(inboxMails.state, 'unreadable'))
    .limit(20)
  const waiting = await db.$count(inboxMails, eq(inboxMails.state, 'waiting'))
  const isBehind = !state?.lastPassAt || Date.now() - state.lastPassAt.getTime() > behindMs
  const describe = (key: keyof typeof inboxTexts.fr, values?: Record<string, string | number>) =>
    translateAll(inboxTexts, key, values)
  return {
    label: describe('inbox'),
    status: state?.lastError ? 'ERROR' : isBehind || named.length > 0 ? 'WARNING' : 'OK',
    lines: [
      state?.lastPassAt ? describeLastPass(state.lastPassAt) : describe('noPass'),
      ...(state?.lastError ? [describeIn('lastError', { error: describeFault(state.lastError) })] : []),
      ...(waiting > 0 ? [describe('waiting', { count: waiting })] : []),
      ...named.map(({ from, subject, reason }) =>
        describeIn('unreadable', { from, subject, reason: describeUnreadable(reason ?? '') }),
      ),
    ],
    advice: {
      text: describe(state?.lastError ? 'repair' : isBehind ? 'restart' : 'sort'),
      link: describe('toSort'),
      path: '/admin/demandes?status=suspected',
    },
  }
}

function describeLastPass(at: Date): LocalizedText {
  const { timeZone } = company.hours
  const show = (language: Language) => formatDateTime(at.toISOString(), language, { timeZone })
  return describeIn('lastPass', { at: { fr: show('fr'), en: show('en') } })
}

/** A text with values that are words of the language themselves. */
function describeIn(key: keyof typeof inboxTexts.fr, values: Record<string, string | LocalizedText>): LocalizedText {
  const describe = (language: Language) => {
    const pick = (value: string | LocalizedText) => (typeof value === 'string' ? value : value[language])
    return translator(inboxTexts, language)(
      key,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pick(value)])),
    )
  }
  return { fr: describe('fr'), en: describe('en') }
}
