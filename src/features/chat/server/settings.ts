import type { FastifyRequest } from 'fastify'
import { eq, sql } from 'drizzle-orm'
import { company } from '#company/company.ts'
import { holidays } from '#company/holidays.ts'
import { keepRefused, RefusedVersion } from '#src/features/content/server/refused-version.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { BusinessHours } from '#src/lib/time/business-hours.ts'
import { everyDay } from '#src/lib/time/business-hours.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { logger } from '#src/server/log.ts'
import type { ChatSettings } from '../contract.ts'
import { chatSettings, chatSettingsInput } from '../contract.ts'
import { chatSettingsTable } from './table.ts'

/** `/api/chat/settings`: read by technicians, changed by administrators of the chat. */
export const chatSettingsRoutes: Routes = async (app) => {
  const { db } = app
  app.get('/', { config: { access: 'chat read_only' }, schema: { response: { 200: chatSettings } } }, () => findChatSettings(db))
  app.put(
    '/',
    {
      config: { access: 'chat administrator', recentSignIn: { when: changesEmbedOrigins } },
      schema: { body: chatSettingsInput, response: { 200: chatSettings } },
    },
    (request) => storedChatSettings.save(app, request.author, request.body),
  )
}

export const storedChatSettings = {
  area: 'chat',
  isGuarded: true,
  input: chatSettingsInput,
  read: ({ db }: App) => readSettings(db),
  async save({ db, events }: App, author: Author, input: ChatSettings) {
    const saved = await saveChatSettings(db, author, input)
    events.outdated(chatSettingsName)
    return saved
  },
} as const

/** Whether a save changes the sites that may embed the chat. */
async function changesEmbedOrigins({ server, body }: FastifyRequest) {
  const [stored, wanted] = [(await findChatSettings(server.db)).embed_origins, (body as ChatSettings).embed_origins]
  return stored.length !== wanted.length || wanted.some((origin) => !stored.includes(origin))
}

const { hours } = company
const theRow = 1
/** Name of the event that makes the other instances read the settings again. */
export const chatSettingsName = 'chat settings'
/** A lost event of another instance is noticed within this time. */
const cacheMs = 10_000

const defaults: ChatSettings = {
  version: 0,
  week: everyDay(hours.days, hours.opens, hours.closes),
  holidays: holidays.map(({ date, name }) => ({ date, name: name.fr, name_en: name.en, spans: [] })),
  auto_reply: false,
  auto_reply_message: '',
  auto_reply_message_en: '',
  expected_wait: '',
  expected_wait_en: '',
  no_answer_minutes: 3,
  release_minutes: 3,
  silence_seconds: 30,
  escalation_notification_minutes: 1,
  escalation_mail_minutes: 5,
  attachments_enabled: false,
  embed_origins: [],
}

type CachedSettings = { settings: Promise<ChatSettings>; until: number }
const cache = new WeakMap<Database, CachedSettings>()

/** The settings, cached: each availability check and each message reads them. */
export function findChatSettings(db: Database): Promise<ChatSettings> {
  const cached = cache.get(db)
  if (cached && cached.until > Date.now()) return cached.settings
  const settings = readSettings(db).catch((error: unknown) => {
    if (!cached) {
      cache.delete(db)
      throw error
    }
    // The site stays up while the database is down.
    logger.warn({ err: error }, 'the chat settings are those read before')
    return cached.settings
  })
  cache.set(db, { settings, until: Date.now() + cacheMs })
  return settings
}

export function forgetChatSettings(db: Database) {
  cache.delete(db)
}

/** One object per version of the settings: what is computed from the hours is cached with it. */
const hoursOf = new WeakMap<ChatSettings, BusinessHours>()

/** The business hours of the company with its holidays. */
export async function findChatHours(db: Database): Promise<BusinessHours> {
  const settings = await findChatSettings(db)
  const known = hoursOf.get(settings) ?? { timeZone: hours.timeZone, week: settings.week, holidays: settings.holidays }
  hoursOf.set(settings, known)
  return known
}

/** Saves all settings; throws `Conflict` with the current ones where the version is not the last. */
async function saveChatSettings(db: Database, author: Author, input: ChatSettings): Promise<ChatSettings> {
  const save = async (tx: Database) => {
    await lockSettings(tx)
    const before = await readSettings(tx)
    if (before.version !== input.version) {
      const refused = { ...input, ...inOrder(input), version: before.version }
      throw await RefusedVersion.of(tx, author, { area: 'chat', entryId: 'settings', before, after: refused })
    }
    const after = await storeSettings(tx, input)
    await recordChange(tx, author, { area: 'chat', action: 'update', entryId: 'settings', before, after })
    return after
  }
  const saved = await db.transaction(save).catch(keepRefused(db))
  forgetChatSettings(db)
  return saved
}

const lockSettings = (tx: Database) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('chat_settings'))`)

async function storeSettings(tx: Database, { version, ...rest }: ChatSettings) {
  const settings = { ...rest, ...inOrder(rest) }
  const row = { version: version + 1, settings, updatedAt: new Date() }
  await tx
    .insert(chatSettingsTable)
    .values({ id: theRow, ...row })
    .onConflictDoUpdate({ target: chatSettingsTable.id, set: row })
  return { ...settings, version: row.version }
}

/** Changes the holidays alone, within the transaction of an import, which has its own audit event. */
export async function changeHolidays(tx: Database, change: (holidays: ChatSettings['holidays']) => ChatSettings['holidays']) {
  await lockSettings(tx)
  const settings = await readSettings(tx)
  await storeSettings(tx, { ...settings, holidays: change(settings.holidays) })
}

/** Days, dates and hours in their order; a day without hours is left out. */
function inOrder({ week, holidays: dates }: Pick<ChatSettings, 'week' | 'holidays'>) {
  const sorted = <Day extends { spans: ChatSettings['week'][number]['spans'] }>(day: Day) => ({
    ...day,
    spans: day.spans.toSorted((one, other) => one.opens.localeCompare(other.opens)),
  })
  return {
    week: week
      .filter(({ spans }) => spans.length > 0)
      .toSorted((one, other) => one.day - other.day)
      .map(sorted),
    holidays: dates.toSorted((one, other) => one.date.localeCompare(other.date)).map(sorted),
  }
}

export async function readSettings(db: Database): Promise<ChatSettings> {
  const [row] = await db.select().from(chatSettingsTable).where(eq(chatSettingsTable.id, theRow))
  // Settings that a later version adds have their default until the next save.
  return row ? { ...defaults, ...row.settings, version: row.version } : defaults
}
