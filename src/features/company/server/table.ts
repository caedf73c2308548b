import { integer, jsonb, pgTable, timestamp } from 'drizzle-orm/pg-core'
import type { Company } from '#src/lib/company-schema.ts'
import type { CompanySettingsInput } from '../contract.ts'

/** Of an earlier version, without a logo. */
export type StoredSettings = Omit<CompanySettingsInput, 'version' | 'new_logo' | 'logo'> & { logo?: string }

/** Who is in charge of the protection of personal information; `person` is null where it is the one of the files. */
export type StoredOfficer = { version: number; person: Company['people']['privacyOfficer'] | null }

/** The id of the only row. */
export const theRow = 1

/** One row; none while `company/company.ts` holds. */
export const companySettingsTable = pgTable('company_settings', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
  settings: jsonb('settings').$type<StoredSettings>(),
  officer: jsonb('officer').$type<StoredOfficer>(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
