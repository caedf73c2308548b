import { and, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import webPush from 'web-push'
import { company } from '#company/company.ts'
import { users } from '#src/features/people/server/table.ts'
import { defaultLanguage, isLanguage, languageStorageKey } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Database } from '#src/server/database/database.ts'
import { checkPublicAddress, ForbiddenAddress, sendOutside } from '#src/server/http/outgoing.ts'
import { logger } from '#src/server/log.ts'
import type { PersonalDataKind } from '#src/server/personal-data.ts'
import { Invalid, NotFound } from '#src/server/problems.ts'
import { decrypt, encrypt } from '#src/server/secrets/encryption.ts'
import type { App, Routes } from '#src/server/types.ts'
import { z } from 'zod'
import { pushDevice, pushEndpoint, pushState } from '../contract.ts'
import { mailTexts } from './mail-texts.ts'
import { pushDevices, pushKeys } from './table.ts'

/** How long a device counts after it last answered. */
export const answeredDays = 7
const devicesPerUser = 10
const dayMs = 86_400_000

const config = { access: 'chat read_write' } as const
const nothing = { 204: z.null() }
const registrations = { points: 30, seconds: 600 }

/** `/api/chat/push`: the devices on which a technician allowed notifications. */
export const pushRoutes: Routes = async (app) => {
  const { db, limits } = app
  // Reading one's devices must not write.
  app.addHook('onReady', async () => void (await findKeys(db)))

  app.get('/', { config, schema: { response: { 200: pushState } } }, async ({ actor }) => ({
    public_key: (await findKeys(db)).publicKey,
    devices: await findDevices(db, actor.userId),
  }))

  app.post('/', { config, schema: { body: pushDevice, response: { 201: pushState } } }, async (request, reply) => {
    const { userId } = request.actor
    await limits.take('push', String(userId), registrations)
    await checkEndpoint(app, request.body.endpoint)
    const { endpoint, keys } = request.body
    const chosen = request.cookies[languageStorageKey]
    const row = {
      userId,
      p256dh: keys.p256dh,
      auth: encrypt(db, placeOf(endpoint), keys.auth),
      language: isLanguage(chosen) ? chosen : defaultLanguage,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
      answeredAt: new Date(),
    }
    await db
      .insert(pushDevices)
      .values({ endpoint, ...row })
      // Who signs in on a device last is called on it.
      .onConflictDoUpdate({ target: pushDevices.endpoint, set: row })
    await removeOldest(db, userId)
    return reply.code(201).send({ public_key: (await findKeys(db)).publicKey, devices: await findDevices(db, userId) })
  })

  app.delete('/', { config, schema: { body: pushEndpoint, response: nothing } }, async (request, reply) => {
    const own = and(eq(pushDevices.endpoint, request.body.endpoint), eq(pushDevices.userId, request.actor.userId))
    const removed = await db.delete(pushDevices).where(own).returning({ id: pushDevices.id })
    if (removed.length === 0) throw new NotFound('There is no such device.')
    return reply.code(204).send(null)
  })

  // A service worker cannot read the XSRF cookie.
  const answered = { config: { ...config, protection: 'beacon' }, schema: { body: pushEndpoint, response: nothing } } as const
  app.post('/answered', answered, async (request, reply) => {
    const own = and(eq(pushDevices.endpoint, request.body.endpoint), eq(pushDevices.userId, request.actor.userId))
    await db.update(pushDevices).set({ answeredAt: new Date() }).where(own)
    return reply.code(204).send(null)
  })
}

const placeOf = (endpoint: string) => ({ column: 'push_devices.auth', row: endpoint }) as const

async function checkEndpoint({ config: { pushAllow } }: App, endpoint: string) {
  await checkPublicAddress(endpoint, pushAllow).catch((error: unknown) => {
    if (!(error instanceof ForbiddenAddress)) logger.info({ err: error }, 'the name of a push service was not resolved')
    throw new Invalid('The push service of this device cannot be called.', [
      { path: 'endpoint', message: 'a public https address' },
    ])
  })
}

async function findDevices(db: Database, userId: number) {
  const rows = await db
    .select()
    .from(pushDevices)
    .where(and(eq(pushDevices.userId, userId), isNotNull(pushDevices.auth)))
    .orderBy(desc(pushDevices.answeredAt), desc(pushDevices.id))
  return rows.map((row) => ({
    id_device: row.id,
    endpoint: row.endpoint,
    user_agent: row.userAgent,
    created_at: row.createdAt.toISOString(),
    answered_at: row.answeredAt.toISOString(),
  }))
}

async function removeOldest(db: Database, userId: number) {
  const surplus = (await findDevices(db, userId)).slice(devicesPerUser).map((device) => device.id_device)
  if (surplus.length > 0) await db.delete(pushDevices).where(inArray(pushDevices.id, surplus))
}

type Keys = { publicKey: string; privateKey: string }
const theRow = 1
const privateKeyPlace = { column: 'push_keys.private_key', row: theRow } as const

/** The key pair, made at the first use; again where its secret was lost, and every device then has to be allowed anew. */
async function findKeys(db: Database): Promise<Keys> {
  const [row] = await db.select().from(pushKeys).where(eq(pushKeys.id, theRow))
  if (row?.privateKey) return { publicKey: row.publicKey, privateKey: decrypt(db, privateKeyPlace, row.privateKey) }
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('push_keys'))`)
    const [made] = await tx.select().from(pushKeys).where(eq(pushKeys.id, theRow))
    if (made?.privateKey) return { publicKey: made.publicKey, privateKey: decrypt(db, privateKeyPlace, made.privateKey) }
    const keys = webPush.generateVAPIDKeys()
    const values = { publicKey: keys.publicKey, privateKey: encrypt(db, privateKeyPlace, keys.privateKey), createdAt: new Date() }
    await tx
      .insert(pushKeys)
      .values({ id: theRow, ...values })
      .onConflictDoUpdate({ target: pushKeys.id, set: values })
    await tx.delete(pushDevices)
    return keys
  })
}

const timeToLiveS = 120
const sendTimeoutMs = 5_000
/** The subscription is over (RFC 8030, 7.3). */
const gone = new Set([404, 410])

type Call = { chatId: number; userId: number; isOwn: boolean }

/** Calls every device of a technician for a conversation; returns whether one push service took it. Holds no text of the visitor. */
export async function pushCall(app: App, { chatId, userId, isOwn }: Call): Promise<boolean> {
  const { db } = app
  const devices = await db
    .select()
    .from(pushDevices)
    .where(and(eq(pushDevices.userId, userId), isNotNull(pushDevices.auth)))
  const keys = await findKeys(db)
  const taken = await Promise.all(
    devices.map(async (device) => {
      try {
        return await sendPush(app, device, keys, { chatId, isOwn })
      } catch (error) {
        logger.warn({ err: error, device: device.id }, 'a device could not be called')
        return false
      }
    }),
  )
  return taken.includes(true)
}

type Device = typeof pushDevices.$inferSelect

async function sendPush(app: App, device: Device, keys: Keys, { chatId, isOwn }: Pick<Call, 'chatId' | 'isOwn'>) {
  const { endpoint, p256dh, language } = device
  const t = translator(mailTexts, language)
  const payload = {
    chat: chatId,
    endpoint,
    lang: language,
    title: t(isOwn ? 'pushOwnTitle' : 'pushTitle'),
    body: t('pushBody'),
  }
  const auth = decrypt(app.db, placeOf(endpoint), device.auth ?? '')
  const sent = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
    vapidDetails: { subject: `mailto:${company.emails.support}`, ...keys },
    TTL: timeToLiveS,
    urgency: 'high',
    topic: `chat-${chatId}`,
  })
  const status = await sendOutside({
    url: endpoint,
    method: 'POST',
    headers: sent.headers,
    body: sent.body,
    timeoutMs: sendTimeoutMs,
    allowedHosts: app.config.pushAllow,
  })
  if (gone.has(status)) await app.db.delete(pushDevices).where(eq(pushDevices.id, device.id))
  else if (status >= 300) logger.warn({ device: device.id, status }, 'a push service refused a call')
  return status >= 200 && status < 300
}

/** Devices of the staff; one that does not answer any more is deleted. */
export const pushData: PersonalDataKind = {
  kind: 'push_devices',
  async find(db, email) {
    const rows = await db
      .select({ device: pushDevices })
      .from(pushDevices)
      .innerJoin(users, eq(users.id, pushDevices.userId))
      .where(eq(sql`lower(${users.email})`, email))
      .orderBy(pushDevices.id)
    return rows.map(({ device }) => ({
      id: String(device.id),
      at: device.createdAt.toISOString(),
      fields: {
        address: device.endpoint,
        browser: device.userAgent,
        language: device.language,
        answered_at: device.answeredAt.toISOString(),
      },
    }))
  },
  async erase(tx, email, { isChosen = () => true } = {}) {
    const own = await tx
      .select({ id: pushDevices.id })
      .from(pushDevices)
      .innerJoin(users, eq(users.id, pushDevices.userId))
      .where(eq(sql`lower(${users.email})`, email))
    const ids = own.map(({ id }) => id).filter((id) => isChosen(String(id)))
    const erased = await tx.delete(pushDevices).where(inArray(pushDevices.id, ids)).returning({ id: pushDevices.id })
    return erased.length
  },
  retention: {
    async purge(db, before, limit) {
      const old = db.select({ id: pushDevices.id }).from(pushDevices).where(lt(pushDevices.answeredAt, before)).limit(limit)
      const removed = await db.delete(pushDevices).where(inArray(pushDevices.id, old)).returning({ id: pushDevices.id })
      return removed.length
    },
  },
}

/** When a device must have answered to count. */
export const answeredSince = (now: Date) => new Date(now.getTime() - answeredDays * dayMs)
