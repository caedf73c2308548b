import { boolean, date, integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { demandKinds } from '../values.ts'

/** Register of confidentiality incidents, which Law 25 requires companies to keep for five years. */
export const incidents = pgTable('incidents', {
  id: serial('id').primaryKey(),
  /** The personal information concerned, or why that is unknown. */
  information: text('information').notNull(),
  circumstances: text('circumstances').notNull(),
  /** A date or a period, as far as known. */
  happened: text('happened').notNull(),
  happenedOn: date('happened_on', { mode: 'string' }),
  discoveredOn: date('discovered_on', { mode: 'string' }).notNull(),
  peopleCount: integer('people_count'),
  /** Arguments for or against a risk of serious injury. */
  riskAssessment: text('risk_assessment').notNull(),
  seriousRisk: boolean('serious_risk').notNull(),
  commissionNotifiedOn: date('commission_told_on', { mode: 'string' }),
  peopleNotifiedOn: date('people_told_on', { mode: 'string' }),
  measures: text('measures').notNull(),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Register of what people asked about their information. */
export const demands = pgTable('privacy_demands', {
  id: serial('id').primaryKey(),
  kind: text('kind', { enum: demandKinds }).notNull(),
  receivedOn: date('received_on', { mode: 'string' }).notNull(),
  answeredOn: date('answered_on', { mode: 'string' }),
  outcome: text('outcome').notNull().default(''),
  note: text('note').notNull().default(''),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})
