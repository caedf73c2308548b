import { integer, jsonb, pgTable, timestamp } from 'drizzle-orm/pg-core'
import type { CompanySettingsInput } from '../contract.ts'

/** One row; none while `company/company.ts` holds. */
export const companySettingsTable = pgTable('company_settings', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
  settings: jsonb('settings').$type<Omit<CompanySettingsInput, 'version'>>(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
