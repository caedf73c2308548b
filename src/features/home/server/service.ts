import type { Pair } from '#src/lib/language/english-older.ts'
import { and, desc, isNull, sql } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { NoticeTexts } from '#src/features/content/server/feature.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import type { EntryState } from '#src/lib/schemas.ts'
import type { Database } from '#src/server/database/database.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { ContentContext } from '#src/features/content/server/content.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import { earliest, findNextChange, isOpen, publicationOf, publicationRow } from '#src/features/content/server/schedule.ts'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import type { HomeInformation, HomeInformationInput, HomeMessage, HomeMessageInput } from '../contract.ts'
import { homeInformationInput, homeMessageInput, reasonForDraftBanner, reasonForDraftPanel } from '../contract.ts'
import { home as feature } from '../feature.ts'
import { homeInformations, homeMessages } from './table.ts'

type HomeTable = typeof homeMessages | typeof homeInformations

/** The one that opened last is shown; without a planned opening, one opened when it was saved. */
const currentFirst = (table: HomeTable) => [sql`coalesce(${table.opensAt}, ${table.updatedAt}) desc`, desc(table.id)]

/** Those that are shown without having been planned: only one of them may be created. */
const isShownNow = (table: HomeTable) => and(isOpen(table), isNull(table.opensAt))

const messagePairs = [
  ['title', 'title_en'],
  ['message', 'message_en'],
] as const satisfies readonly Pair[]

const informationPairs = [
  ['title', 'title_en'],
  ['description', 'description_en'],
] as const satisfies readonly Pair[]

export const homeMessageContent = defineContent<typeof homeMessages, HomeMessage, HomeMessageInput>({
  entry: feature.entries[0],
  rivalsOf: (input) =>
    input.opens_on === null && input.publie && reasonForDraftBanner(input) === null ? isShownNow(homeMessages) : undefined,
  input: homeMessageInput,
  idKey: 'id_home_message',
  nameOf: () => '',
  table: homeMessages,
  pairs: messagePairs,
  orderBy: currentFirst(homeMessages),
  toEntity: (row) => ({
    id_home_message: row.id,
    title: row.title,
    title_en: row.titleEn,
    message: row.message,
    message_en: row.messageEn,
    ...publicationOf(row),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    title: input.title,
    titleEn: input.title_en,
    message: cleanRichText(input.message, 'message'),
    messageEn: cleanRichText(input.message_en, 'message_en'),
    ...publicationRow(input, reasonForDraftBanner(input) === null),
  }),
})

const always = { opens_on: null, closes_on: null }

type PlacedBanner = { id: number; version: number; former: HomeMessageInput | null }

/** The emergency banner of another feature, such as a declared outage: it replaces an existing banner until it is removed. */
export const emergencyBanner = {
  async lock(tx: Database) {
    await homeMessageContent.lockSingle(tx)
    await tx.select().from(homeMessages).for('update')
  },
  async put(context: ContentContext, author: Author, { title, title_en, text, text_en }: NoticeTexts): Promise<PlacedBanner> {
    const html = (plain: string) => (plain.trim() ? `<p>${escapeXml(plain.trim()).replaceAll(/\n+/g, '<br>')}</p>` : '')
    const [current] = await findShown(homeMessageContent, context.db)
    const input = { title, title_en, message: html(text), message_en: html(text_en), publie: true, ...always }
    const placed = current
      ? await homeMessageContent.update(context, author, current.id_home_message, { ...input, version: current.version })
      : await homeMessageContent.create(context, author, input)
    const former = current && {
      title: current.title,
      title_en: current.title_en,
      message: current.message,
      message_en: current.message_en,
      publie: current.publie,
      opens_on: current.opens_on,
      closes_on: current.closes_on,
    }
    return { id: placed.id_home_message, version: placed.version, former: former ?? null }
  },
  async takeBack(context: ContentContext, author: Author, placed: unknown) {
    const { id, version, former } = placed as PlacedBanner
    const all = await homeMessageContent.findAll(context.db)
    if (all.find((one) => one.id_home_message === id)?.version !== version) return
    // Stored before banners could be planned, it has no dates.
    if (former) await homeMessageContent.update(context, author, id, homeMessageInput.parse(former))
    else await homeMessageContent.remove(context, author, id)
  },
}

export const homeInformationContent = defineContent<typeof homeInformations, HomeInformation, HomeInformationInput>({
  entry: feature.entries[1],
  rivalsOf: (input) =>
    input.opens_on === null && input.publie && reasonForDraftPanel(input) === null ? isShownNow(homeInformations) : undefined,
  input: homeInformationInput,
  idKey: 'id_home_information',
  nameOf: (information) => information.title,
  table: homeInformations,
  pairs: informationPairs,
  orderBy: currentFirst(homeInformations),
  toEntity: (row) => ({
    id_home_information: row.id,
    title: row.title,
    title_en: row.titleEn,
    description: row.description,
    description_en: row.descriptionEn,
    ...publicationOf(row),
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    title: input.title,
    titleEn: input.title_en,
    description: cleanRichText(input.description, 'description'),
    descriptionEn: cleanRichText(input.description_en, 'description_en'),
    ...publicationRow(input, reasonForDraftPanel(input) === null),
  }),
})

/** The one that visitors see now, if any. */
async function findShown<Entity extends { state: EntryState }>(
  content: { findAll: (db: Database) => Promise<Entity[]> },
  db: Database,
) {
  return (await content.findAll(db)).filter(({ state }) => state === 'open').slice(0, 1)
}

export const readHomeMessages = ({ content, db }: Reader) =>
  content.read('home', 'messages', () => findShown(homeMessageContent, db))

export const readHomeInformations = ({ content, db }: Reader) =>
  content.read('home', 'informations', () => findShown(homeInformationContent, db))

/** The next moment at which a banner or a panel opens or closes. */
export const findNextHomeChange = async (db: Database) =>
  earliest(await Promise.all([findNextChange(db, homeMessages), findNextChange(db, homeInformations)]))
