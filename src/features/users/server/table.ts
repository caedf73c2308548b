import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, serial, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { groups } from '../../groups/server/table.ts'

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
    /** Colour of the person's messages in the chat, `#rrggbb`. */
    color: text('color').notNull().default('#1746A2'),
    passwordHash: text('password_hash').notNull(),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id),
    locked: boolean('locked').notNull().default(false),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_username').on(sql`lower(${table.username})`)],
)
