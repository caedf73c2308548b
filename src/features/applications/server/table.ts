import { sql } from 'drizzle-orm'
import {
  customType,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { jobs } from '#src/features/jobs/server/table.ts'
import { traps } from '#src/features/requests/values.ts'
import { languages } from '#src/lib/language/language.ts'
import type { VisitSource } from '#src/lib/visit-source.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { storedApplicationStatuses } from '../values.ts'

/** Numbers of the references; one that was taken for nothing leaves a gap. */
export const applicationNumbers = pgSequence('application_numbers')

const moment = (name: string) => timestamp(name, { withTimezone: true })
const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

export const applications = pgTable(
  'applications',
  {
    id: serial('id').primaryKey(),
    reference: text('reference').notNull().unique(),
    jobId: integer('job_id').references(() => jobs.id, { onDelete: 'set null' }),
    /** As it was when the application was sent. */
    jobTitle: text('job_title').notNull(),
    status: text('status', { enum: storedApplicationStatuses }).notNull().default('new'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    message: text('message').notNull(),
    language: text('language', { enum: languages }).notNull(),
    /** Campaign and referring domain of the tab's first page. */
    source: jsonb('source').$type<VisitSource>(),
    note: text('note').notNull().default(''),
    /** What caught a suspected one; stays when the staff takes it. */
    trap: text('trap', { enum: traps }),
    /** Client id and a hash of the content: the two together identify one application. */
    clientId: text('client_id'),
    contentHash: text('content_hash'),
    /** The mails to the staff and to the applicant, which are deleted with it. */
    staffMailId: integer('staff_mail_id').references(() => mails.id, { onDelete: 'set null' }),
    ownMailId: integer('own_mail_id').references(() => mails.id, { onDelete: 'set null' }),
    /** When the staff took a suspected one, or deleted it: either can be undone for ten seconds, and has its effect afterwards. */
    takenAt: moment('taken_at'),
    removedAt: moment('removed_at'),
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('applications_created').on(table.createdAt, table.id),
    index('applications_email').on(sql`lower(${table.email})`),
    index('applications_job').on(table.jobId),
    index('applications_staff_mail').on(table.staffMailId),
    index('applications_own_mail').on(table.ownMailId),
    // Recent decisions are searched for each minute; almost no row has either value.
    index('applications_decided')
      .on(table.id)
      .where(sql`${table.removedAt} is not null or ${table.takenAt} is not null`),
    uniqueIndex('applications_client').on(table.clientId, table.contentHash),
  ],
)

export const applicationFiles = pgTable(
  'application_files',
  {
    id: serial('id').primaryKey(),
    applicationId: integer('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    size: integer('size').notNull(),
  },
  (table) => [index('application_files_application').on(table.applicationId)],
)

/** The bytes in pieces, as of requests. */
export const applicationFilePieces = pgTable(
  'application_file_pieces',
  {
    fileId: integer('file_id')
      .notNull()
      .references(() => applicationFiles.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.position] })],
)
