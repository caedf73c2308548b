import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, serial, text, timestamp, bigint, uniqueIndex, index } from 'drizzle-orm/pg-core'
import type { Language } from '#src/lib/language/language.ts'
import type { Rights } from '#src/lib/rights.ts'

export const groups = pgTable('groups', {
  id: serial('id').primaryKey(),
  name: text('name').notNull().unique(),
  /** A disabled group grants no rights. */
  enabled: boolean('enabled').notNull().default(true),
  rights: jsonb('rights').$type<Rights>().notNull(),
  /** Its users must set up 2FA before anything else. */
  requiresTotp: boolean('requires_totp').notNull().default(false),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Number of wrong codes before an administrator must help. */
export const totpChances = 5

export const users = pgTable(
  'users',
  {
    id: serial('id').primaryKey(),
    username: text('username').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    displayName: text('display_name').notNull(),
    email: text('email').notNull().default(''),
    imageUrl: text('image_url'),
    /** The team record whose name, title and photo visitors see; null: they see the display name. */
    employeeId: integer('employee_id'),
    /** Color of the user's chat messages, `#rrggbb`. */
    color: text('color').notNull().default('#1746A2'),
    /** Those that the person serves visitors in. */
    languages: jsonb('languages').$type<Language[]>().notNull().default(['fr', 'en']),
    /** Null until an invited user chose a password: such an account cannot be signed in to. */
    passwordHash: text('password_hash'),
    /** Somebody else chose the password: the user is asked to change it. */
    passwordSetByAdmin: boolean('password_set_by_admin').notNull().default(false),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id),
    locked: boolean('locked').notNull().default(false),
    /** Encrypted (`secrets/encryption.ts`). Active once `totpEnabled` is set by a first correct code. */
    totpSecret: text('totp_secret'),
    totpEnabled: boolean('totp_enabled').notNull().default(false),
    totpChances: integer('totp_chances').notNull().default(totpChances),
    /** Time step of the last code that was accepted: a code works once. */
    totpLastStep: bigint('totp_last_step', { mode: 'number' }).notNull().default(0),
    /** Values of an export that do not hold here, such as a lock; those changed here since are removed by a trigger. */
    imported: jsonb('imported').$type<Record<string, unknown>>(),
    lastLoginAt: timestamp('last_login_at', { withTimezone: true }),
    version: integer('version').notNull().default(1),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_username').on(sql`lower(${table.username})`), index('users_group').on(table.groupId)],
)

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
)

/** One-time links to choose a password: an invitation, or a forgotten one. */
export const passwordLinks = pgTable(
  'password_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('password_links_user').on(table.userId)],
)

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the cookie value: a leaked table opens no session. */
    idHash: text('id_hash').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    lastSeenAt: timestamp('last_seen_at', { withTimezone: true }).notNull().defaultNow(),
    /** Last proof of identity; sensitive routes require a recent one. */
    authenticatedAt: timestamp('authenticated_at', { withTimezone: true }).notNull().defaultNow(),
    /** The password was right and the second factor is pending: only the route for the code is accessible. */
    pending: boolean('pending').notNull().default(false),
    address: text('address').notNull().default(''),
    userAgent: text('user_agent').notNull().default(''),
  },
  (table) => [index('sessions_user').on(table.userId)],
)
