import { readFileSync } from 'node:fs'
import { boolean, date, integer, jsonb, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { users } from '#src/features/people/server/table.ts'
import { environmentNames } from '#src/server/config.ts'
import { findMisdeclared, findUndeclared, readSchema, storedTables, withTables } from '../../scripts/privacy-tables.ts'
import { serverFeatures } from './server-features.ts'

const document = readFileSync('docs/privacy-assessment.md', 'utf8')
const schema = await readSchema()

const guests = pgTable('guests', {
  id: serial('id').primaryKey(),
  fullName: text('full_name').notNull(),
  bornOn: date('born_on', { mode: 'string' }),
  answers: jsonb('answers'),
  languages: text('languages').array(),
  hostId: integer('host_id').references(() => users.id),
  formerUserId: integer('former_user_id'),
  friendId: integer('friend_id'),
  mood: text('mood', { enum: ['good', 'bad'] }),
  sizes: integer('sizes').array(),
  isLate: boolean('is_late'),
  at: timestamp('at'),
})
const personal = { whose: ['visitors'], purpose: 'Welcome', seenBy: ['chat'] } as const

describe('the columns of the schema', () => {
  test('that could hold information about a person are all declared', () => {
    expect(schema.length).toBeGreaterThan(90)
    expect(findUndeclared(schema, serverFeatures)).toEqual([])
  })

  test('are declared once, and exist', () => {
    expect(findMisdeclared(schema, serverFeatures)).toEqual([])
  })

  test('that are new and declared nowhere are named', () => {
    const telling = ['full_name', 'born_on', 'answers', 'languages', 'host_id', 'former_user_id'].map((name) => `guests.${name}`)
    expect(findUndeclared([...schema, guests], serverFeatures)).toEqual(telling)
    const declared = [
      { personalColumns: [{ ...personal, columns: [guests.fullName, guests.bornOn, guests.hostId, guests.formerUserId] }] },
      { impersonalColumns: [{ columns: [guests.answers], reason: 'nothing about them' }] },
    ]
    expect(findUndeclared([guests], declared)).toEqual(['guests.languages'])
  })

  test('that are declared twice or in no table are named', () => {
    const columns = [guests.fullName, guests.answers]
    const twice = [
      { personalColumns: [{ ...personal, columns }], impersonalColumns: [{ columns: [guests.answers], reason: '' }] },
    ]
    expect(findMisdeclared([guests], twice)).toEqual(['guests.answers'])
    expect(findMisdeclared([], [{ personalColumns: [{ ...personal, columns: [guests.fullName] }] }])).toEqual([
      'guests.full_name',
    ])
  })
})

describe('the privacy impact assessment', () => {
  test('has the tables that the declarations make', () => {
    expect(withTables(document, serverFeatures)).toBe(document)
    expect(() => withTables('# Without marks', serverFeatures)).toThrow('has no part “stored”')
  })

  test('says of all information when it ends', () => {
    const rows = storedTables(serverFeatures).filter((line) => line.startsWith('| `'))
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter((line) => line.split(' | ').some((cell) => cell.replace(/ \|$/, '').trim() === ''))).toEqual([])
  })

  test('names settings that exist', () => {
    const named = new Set([...document.matchAll(/`([A-Z][A-Z\d]*_[A-Z_\d]+)`/g)].map(([, name = '']) => name))
    expect(named.size).toBeGreaterThan(10)
    expect([...named].filter((name) => !environmentNames.includes(name))).toEqual([])
  })

  test('tells every setting by which information goes elsewhere', () => {
    const [, part = ''] = document.split('\n## What leaves the server\n')
    const section = part.split('\n## ', 1)[0] ?? ''
    // Addresses of the product itself; INDEXNOW_URL does nothing without INDEXNOW_KEY.
    const own = new Set(['PUBLIC_URL', 'API_URL', 'CHAT_URL', 'INDEXNOW_URL'])
    const outside = environmentNames.filter(
      (name) => /_URL$|_ENDPOINT$|^STATUS_COPY$|^INDEXNOW_KEY$/.test(name) && !own.has(name),
    )
    expect(outside.filter((name) => !section.includes(`\`${name}\``))).toEqual([])
  })
})
