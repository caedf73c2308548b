import { integer, jsonb, pgTable, timestamp } from 'drizzle-orm/pg-core'
import type { CompanySettingsInput } from '../contract.ts'

/** Of an earlier version, without a logo. */
export type StoredSettings = Omit<CompanySettingsInput, 'version' | 'new_logo' | 'logo'> & { logo?: string }

/** One row; none while `company/company.ts` holds. */
export const companySettingsTable = pgTable('company_settings', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
  settings: jsonb('settings').$type<StoredSettings>(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
