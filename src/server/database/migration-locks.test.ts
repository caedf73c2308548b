import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Tables that grow with each visitor: a statement that reads or rewrites one takes seconds. */
const growing = new Set(
  ['chats', 'chat_messages', 'chat_events', 'chat_texts', 'chat_figures', 'requests', 'request_entries', 'request_texts'].concat([
    'mails',
    'journal',
    'notes',
    'recordings',
    'network_element_changes',
  ]),
)

/** Also those whose rows are large. */
const copied = new Set([...growing, 'chat_files', 'request_files', 'request_comments'])

type Lock = 'none' | 'rows' | 'writes' | 'reads and writes'
type Kind = {
  name: string
  pattern: RegExp
  /** What it holds on PostgreSQL until its migration commits. */
  holds: Lock
  /** False where the time depends on the rows of the table. */
  isBrief: boolean
}

const volatile = /\b(serial|nextval|gen_random_uuid|random\(|clock_timestamp)/i
const kinds: Kind[] = [
  { name: 'new column', pattern: /^ALTER TABLE \S+ ADD COLUMN\b/i, holds: 'reads and writes', isBrief: true },
  { name: 'column removed', pattern: /^ALTER TABLE \S+ DROP (COLUMN|CONSTRAINT)\b/i, holds: 'reads and writes', isBrief: true },
  {
    name: 'default',
    pattern: /^ALTER TABLE \S+ ALTER COLUMN \S+ (SET|DROP) DEFAULT\b/i,
    holds: 'reads and writes',
    isBrief: true,
  },
  {
    name: 'no longer required',
    pattern: /^ALTER TABLE \S+ ALTER COLUMN \S+ DROP NOT NULL\b/i,
    holds: 'reads and writes',
    isBrief: true,
  },
  { name: 'reference', pattern: /^ALTER TABLE \S+ ADD CONSTRAINT \S+ FOREIGN KEY\b/i, holds: 'writes', isBrief: false },
  { name: 'other constraint', pattern: /^ALTER TABLE \S+ ADD CONSTRAINT\b/i, holds: 'reads and writes', isBrief: false },
  { name: 'required or another type', pattern: /^ALTER TABLE \S+ ALTER COLUMN\b/i, holds: 'reads and writes', isBrief: false },
  { name: 'when it is checked', pattern: /^ALTER TABLE \S+ ALTER CONSTRAINT\b/i, holds: 'reads and writes', isBrief: true },
  { name: 'trigger', pattern: /^CREATE (CONSTRAINT )?TRIGGER\b/i, holds: 'writes', isBrief: true },
  { name: 'trigger removed', pattern: /^DROP TRIGGER\b/i, holds: 'reads and writes', isBrief: true },
  // Where the table is large, `migrateDatabase` builds it concurrently after the commit.
  { name: 'index', pattern: /^CREATE (UNIQUE )?INDEX\b/i, holds: 'none', isBrief: true },
  { name: 'changed rows', pattern: /^(UPDATE|DELETE FROM)\b/i, holds: 'rows', isBrief: false },
  { name: 'added rows', pattern: /^INSERT INTO\b/i, holds: 'rows', isBrief: false },
]

/** Statements that take longer with more rows, with the reason why they may; nothing else does. */
const lasting: Record<string, string> = {
  '0017 chats: other constraint': 'the column is new and empty; its index is of the version before the growth was measured',
  '0019 chats: changed rows': 'open chats alone',
  '0050 notes: changed rows': 'notes without a text alone; staff write a few notes a week',
  '0015 chat_files: copied rows': 'of the version before the growth was measured, as the next two',
  '0022 request_comments: copied rows': 'one row for each comment',
  '0022 requests: copied rows': 'one row for each request',
  // Of a large table `migrateDatabase` copies them after the commit, in parts.
  '0033 chats: copied rows': 'after the commit',
  '0033 chat_messages: copied rows': 'after the commit',
  '0033 requests: copied rows': 'after the commit',
  '0033 request_entries: copied rows': 'after the commit',
  // Only read, and by an index or once; what is written is the few rows of the sample content.
  '0059 journal: copied rows': 'the calls that the sample imported',
  '0059 network_element_changes: copied rows': 'the time of its first row',
  '0059 notes: copied rows': 'those of the sample',
  '0059 recordings: copied rows': 'those of the sample',
  '0060 notes: changed rows': 'those published in English alone; staff write a few notes a week',
}

function findStatements() {
  return readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => {
      const text = readFileSync(`migrations/${name}`, 'utf8')
      const created = new Set([...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi)].map(([, table]) => table))
      const columns = new Set([...text.matchAll(/ADD COLUMN "?(\w+)/gi)].map(([, column]) => column))
      return text.split('--> statement-breakpoint').flatMap((part) => {
        const statement = part.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()
        const table =
          /^(?:ALTER TABLE|UPDATE|DELETE FROM|INSERT INTO)\s+(?:ONLY )?(?:"?public"?\.)?"?(\w+)/i.exec(statement)?.[1] ??
          /^(?:CREATE (?:CONSTRAINT |OR REPLACE )?TRIGGER|DROP TRIGGER|CREATE (?:UNIQUE )?INDEX)\b.*? ON (?:"?public"?\.)?"?(\w+)/i.exec(
            statement,
          )?.[1]
        // A new column refers to nothing, so there is nothing to check.
        const isNewReference = columns.has(/FOREIGN KEY \("?(\w+)/i.exec(statement)?.[1] ?? '')
        const known = { name: name.slice(0, 4), statement, isNewReference }
        // The rows of another table are read, also where the table they are copied to is new.
        const sources = /^INSERT INTO\b/i.test(statement)
          ? new Set([...statement.matchAll(/\b(?:FROM|JOIN) (?:"?public"?\.)?"?(\w+)/gi)].map(([, source = '']) => source))
          : new Set<string>()
        const read = [...sources].filter((source) => copied.has(source) && !created.has(source))
        if (read.length > 0) return read.map((source) => ({ ...known, table: source, isCopied: true }))
        // A table of the same migration has no rows yet.
        const isGrowing = table && growing.has(table) && !created.has(table)
        return isGrowing ? [{ ...known, table, isCopied: false }] : []
      })
    })
}

const copy: Kind = { name: 'copied rows', pattern: /^INSERT INTO\b/i, holds: 'rows', isBrief: false }
const found = findStatements().map((one) => ({
  ...one,
  kind: one.isCopied ? copy : kinds.find(({ pattern }) => pattern.test(one.statement)),
}))

test('it is known what each statement of a migration holds on a table that grows', () => {
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(({ kind }) => !kind).map(({ name, statement }) => `${name}: ${statement.slice(0, 80)}`)).toEqual([])
})

test('no statement holds writes of a table that grows for longer with more rows, but those with a reason', () => {
  const isLasting = ({ kind, statement, isNewReference }: (typeof found)[number]) =>
    kind && !isNewReference && (!kind.isBrief || (kind.name === 'new column' && volatile.test(statement)))
  const named = found.filter(isLasting).map(({ name, table, kind }) => `${name} ${table}: ${kind?.name}`)
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(lasting).toSorted())
})
