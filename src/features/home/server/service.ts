import { desc } from 'drizzle-orm'
import type { Reader } from '#src/server/cache/content-cache.ts'
import { defineEntries } from '#src/features/content/server/entries.ts'
import { cleanRichText } from '#src/features/content/server/rich-text.ts'
import type { HomeInformation, HomeInformationInput, HomeMessage, HomeMessageInput } from '../contract.ts'
import { informationPairs, messagePairs } from '../values.ts'
import { homeInformations, homeMessages } from './table.ts'

export const homeMessageEntries = defineEntries<typeof homeMessages, HomeMessage, HomeMessageInput>({
  area: 'home',
  kind: 'home_message',
  live: 'home',
  single: true,
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

export const homeInformationEntries = defineEntries<typeof homeInformations, HomeInformation, HomeInformationInput>({
  area: 'home',
  kind: 'home_information',
  live: 'home',
  single: true,
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
  content.read('home', 'messages', () => homeMessageEntries.findAll(db))

export const readHomeInformations = ({ content, db }: Reader) =>
  content.read('home', 'informations', () => homeInformationEntries.findAll(db))
