import { bigint, index, integer, pgTable, primaryKey, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from '#src/features/people/server/table.ts'
import { exportStates } from '../contract.ts'

/** Archives of everything, for the user who asked. `heldUntil`: a process writes it; after that it died. */
export const dataExports = pgTable(
  'data_exports',
  {
    id: serial('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    state: text('state', { enum: exportStates }).notNull().default('waiting'),
    done: integer('done').notNull().default(0),
    total: integer('total'),
    bytes: bigint('bytes', { mode: 'number' }),
    heldUntil: timestamp('held_until', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    readyAt: timestamp('ready_at', { withTimezone: true }),
  },
  (table) => [index('data_exports_user').on(table.userId)],
)

/** Every row that an imported export brought, until the import can no longer be undone. */
export const importedRows = pgTable(
  'imported_rows',
  {
    importId: integer('import_id').notNull(),
    tableName: text('table_name').notNull(),
    /** Its primary key, as a JSON list of texts. */
    rowKey: text('row_key').notNull(),
    /** Hash of what somebody could edit, as it came. */
    mark: text('mark').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.tableName, table.rowKey] })],
)
