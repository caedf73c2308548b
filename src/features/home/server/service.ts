import type { Pair } from '#src/lib/language/english-older.ts'
import { desc } from 'drizzle-orm'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import type { NoticeTexts } from '#src/features/content/server/feature.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Database } from '#src/server/database/database.ts'
import type { ContentContext } from '#src/features/content/server/content.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import type { HomeInformation, HomeInformationInput, HomeMessage, HomeMessageInput } from '../contract.ts'
import { homeInformationInput, homeMessageInput } from '../contract.ts'
import { home as feature } from '../feature.ts'
import { homeInformations, homeMessages } from './table.ts'

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
  isSingle: true,
  input: homeMessageInput,
  idKey: 'id_home_message',
  nameOf: () => '',
  table: homeMessages,
  pairs: messagePairs,
  orderBy: [desc(homeMessages.id)],
  toEntity: (row) => ({
    id_home_message: row.id,
    title: row.title,
    title_en: row.titleEn,
    message: row.message,
    message_en: row.messageEn,
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    title: input.title,
    titleEn: input.title_en,
    message: cleanRichText(input.message, 'message'),
    messageEn: cleanRichText(input.message_en, 'message_en'),
  }),
})

type PlacedBanner = { id: number; version: number; former: HomeMessageInput | null }

/** The emergency banner of another feature, such as a declared outage: it replaces an existing banner until it is removed. */
export const emergencyBanner = {
  async lock(tx: Database) {
    await homeMessageContent.lockSingle(tx)
    await tx.select().from(homeMessages).for('update')
  },
  async put(context: ContentContext, author: Author, { title, title_en, text, text_en }: NoticeTexts): Promise<PlacedBanner> {
    const html = (plain: string) => (plain.trim() ? `<p>${escapeXml(plain.trim()).replaceAll(/\n+/g, '<br>')}</p>` : '')
    const [current] = await homeMessageContent.findAll(context.db)
    const input = { title, title_en, message: html(text), message_en: html(text_en) }
    const placed = current
      ? await homeMessageContent.update(context, author, current.id_home_message, { ...input, version: current.version })
      : await homeMessageContent.create(context, author, input)
    const former = current && {
      title: current.title,
      title_en: current.title_en,
      message: current.message,
      message_en: current.message_en,
    }
    return { id: placed.id_home_message, version: placed.version, former: former ?? null }
  },
  async takeBack(context: ContentContext, author: Author, placed: unknown) {
    const { id, version, former } = placed as PlacedBanner
    const [current] = await homeMessageContent.findAll(context.db)
    if (current?.id_home_message !== id || current.version !== version) return
    if (former) await homeMessageContent.update(context, author, id, former)
    else await homeMessageContent.remove(context, author, id)
  },
}

export const homeInformationContent = defineContent<typeof homeInformations, HomeInformation, HomeInformationInput>({
  entry: feature.entries[1],
  isSingle: true,
  input: homeInformationInput,
  idKey: 'id_home_information',
  nameOf: (information) => information.title,
  table: homeInformations,
  pairs: informationPairs,
  orderBy: [desc(homeInformations.id)],
  toEntity: (row) => ({
    id_home_information: row.id,
    title: row.title,
    title_en: row.titleEn,
    description: row.description,
    description_en: row.descriptionEn,
    english_older: row.englishOlder,
    version: row.version,
  }),
  toRow: (input) => ({
    title: input.title,
    titleEn: input.title_en,
    description: cleanRichText(input.description, 'description'),
    descriptionEn: cleanRichText(input.description_en, 'description_en'),
  }),
})

export const readHomeMessages = ({ content, db }: Reader) =>
  content.read('home', 'messages', () => homeMessageContent.findAll(db))

export const readHomeInformations = ({ content, db }: Reader) =>
  content.read('home', 'informations', () => homeInformationContent.findAll(db))
