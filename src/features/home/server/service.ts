import { desc } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { HomeInformation, HomeMessage } from '../contract.ts'
import { homeInformations, homeMessages } from './table.ts'

/** The current banner, in a list of none or one (contract.md 3). */
export async function findHomeMessages(db: Database): Promise<HomeMessage[]> {
  const rows = await db.select().from(homeMessages).orderBy(desc(homeMessages.id)).limit(1)
  return rows.map((row) => ({
    id_home_message: row.id,
    title: row.title,
    title_en: row.titleEn,
    message: row.message,
    message_en: row.messageEn,
  }))
}

/** The current information panel, in a list of none or one. */
export async function findHomeInformations(db: Database): Promise<HomeInformation[]> {
  const rows = await db.select().from(homeInformations).orderBy(desc(homeInformations.id)).limit(1)
  return rows.map((row) => ({
    id_home_information: row.id,
    title: row.title,
    title_en: row.titleEn,
    description: row.description,
    description_en: row.descriptionEn,
  }))
}
