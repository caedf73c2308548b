import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database } from '#src/server/database/database.ts'
import { onRemoteChange } from '#src/server/cluster/remote-sockets.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import type { QueuePlace } from '../protocol.ts'
import { chatRoom, isVisitorOnline } from './namespaces.ts'
import type { VisitorNamespace } from './namespaces.ts'
import { findPublicTechnician } from './service.ts'
import { findChatSettings } from './settings.ts'
import { chatMessages, chats, isOpenChat } from './table.ts'

const topic = 'chat queue'
const gatherMs = 250
/** The wait is the median of the last hour, given enough cases. */
const fewestSamples = 5
const waitWindowMs = 3_600_000
const dayMs = 86_400_000
const waitCacheMs = 10_000

/** Emits visitors' places in the queue as they change. Visitors who left do not count. */
export function createWaitingQueue(app: App, visitors: VisitorNamespace) {
  const lastPlaces = new Map<number, string>()
  const due = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const isThere = (id: number) => isVisitorOnline(visitors, id)
  const isHere = (id: number) => visitors.adapter.rooms.has(chatRoom(id))

  /** Each instance notifies its own visitors. */
  async function emitAll() {
    if (visitors.sockets.size === 0) return
    const open = await findOpen(app.db)
    const waiting = open.filter((one) => one.status === 'waiting' && isThere(one.id))
    const positions = new Map(waiting.map((one, index) => [one.id, index + 1]))
    const changed = open.filter((one) => {
      if (!isHere(one.id)) return false
      const place = `${positions.get(one.id) ?? 0} ${one.userId ?? ''}`
      const isNew = lastPlaces.get(one.id) !== place || due.has(one.id)
      lastPlaces.set(one.id, place)
      return isNew
    })
    due.clear()
    for (const id of lastPlaces.keys()) if (!isHere(id)) lastPlaces.delete(id)
    if (changed.length === 0) return
    const ids = changed.map((one) => one.id)
    const [settings, minutes] = [await findChatSettings(app.db), await findExpectedMinutes(app.db)]
    const left = await findTimeLeft(app.db, ids, settings.no_answer_minutes)
    for (const { id, userId } of changed) {
      const technician = userId === null ? null : await findPublicTechnician(app, userId)
      const place: QueuePlace = {
        position: positions.get(id) ?? 0,
        expected_minutes: minutes,
        expected_wait: settings.expected_wait,
        expected_wait_en: settings.expected_wait_en,
        user_name: technician?.user_name ?? null,
        image_url: technician?.image_url ?? null,
        title: technician?.title ?? '',
        title_en: technician?.title_en ?? '',
        no_answer_in: left.get(id) ?? null,
      }
      visitors.local.in(chatRoom(id)).emit('chat:queue', place)
    }
  }

  app.addHook('preClose', async () => {
    isOver = true
    clearTimeout(timer)
  })

  function notifyHere(id?: number) {
    if (isOver) return
    if (id !== undefined) due.add(id)
    timer ??= setTimeout(() => {
      timer = undefined
      emitAll().catch((error: unknown) => logger.warn({ err: error }, 'places in the queue were not sent'))
    }, gatherMs)
  }
  app.cluster.on(topic, (id) => notifyHere(typeof id === 'number' ? id : undefined))
  app.cluster.onGap(() => notifyHere())
  onRemoteChange(visitors, (gone) => gone.length > 0 && notifyHere())

  return {
    /** The queue changed; the chat that is named receives its place in any case. */
    notify(id?: number) {
      notifyHere(id)
      app.cluster.send(topic, id ?? null)
    },
  }
}

function findOpen(db: Database) {
  return db
    .select({ id: chats.id, status: chats.status, userId: chats.userId })
    .from(chats)
    .where(isOpenChat)
    .orderBy(asc(chats.createdAt), asc(chats.id))
}

/** The median wait of the last hour, from the start to the claim; null with too few cases. Cached. */
export const findExpectedMinutes = cachedWait(waitWindowMs, waitCacheMs)
/** The same of the last 30 days. */
export const findUsualMinutes = cachedWait(30 * dayMs, waitWindowMs)

function cachedWait(windowMs: number, cacheMs: number) {
  const waits = new WeakMap<Database, { until: number; minutes: Promise<number | null> }>()
  return (db: Database): Promise<number | null> => {
    const known = waits.get(db)
    if (known && known.until > Date.now()) return known.minutes
    const minutes = readMedianMinutes(db, windowMs)
    waits.set(db, { until: Date.now() + cacheMs, minutes })
    minutes.catch(() => waits.delete(db))
    return minutes
  }
}

async function readMedianMinutes(db: Database, windowMs: number) {
  const seconds = sql<number | null>`percentile_cont(0.5) within group
    (order by extract(epoch from ${chats.claimedAt} - ${chats.createdAt}))`
  const [row] = await db
    .select({ count: count(), seconds })
    .from(chats)
    // The start has an index, and nobody waits a day.
    .where(
      and(gt(chats.createdAt, new Date(Date.now() - windowMs - dayMs)), gt(chats.claimedAt, new Date(Date.now() - windowMs))),
    )
  if (!row || row.seconds === null || row.count < fewestSamples) return null
  return Math.max(1, Math.round(row.seconds / 60))
}

/**
 * For chats with a visitor's message and no answer, or whose technician had to leave: how long until a message can be left
 * instead. A claim starts the time again, since somebody is about to answer.
 */
async function findTimeLeft(db: Database, ids: number[], minutes: number) {
  const rows = await db
    .select({
      id: chatMessages.chatId,
      first: sql<string | null>`min(${chatMessages.sentAt}) filter (where not ${chatMessages.fromStaff})`,
      taken: sql<string | null>`max(${chats.claimedAt})`,
      waiting: sql<string | null>`max(${chats.waitingSince}) filter (where ${chats.releasedReason} is not null)`,
      isAnswered: sql<boolean>`bool_or(${chatMessages.fromStaff}) and bool_and(${chats.releasedReason} is null)`,
    })
    .from(chatMessages)
    .innerJoin(chats, eq(chats.id, chatMessages.chatId))
    .where(and(inArray(chatMessages.chatId, ids), eq(chatMessages.internal, false)))
    .groupBy(chatMessages.chatId)
  const now = Date.now()
  const time = (at: string | null) => new Date(at ?? 0).getTime()
  return new Map(
    rows
      .filter((row) => row.first !== null && !row.isAnswered)
      .map((row) => [
        row.id,
        Math.max(0, Math.max(time(row.first), time(row.taken), time(row.waiting)) + minutes * 60_000 - now),
      ]),
  )
}
