import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../database/database.ts'
import { putSampleContent } from '#src/app/sample-content.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { writeBackup } from './archive.ts'
import { dumpDatabase, isEmptyDatabase, loadDatabase } from './dump.ts'

let folder: string
let from: OpenDatabase
let to: OpenDatabase
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-dump-'))
  from = await openTestDatabase()
  to = await openTestDatabase()
  await putSampleContent(from.db)
  await from.db.execute(
    sql`insert into pictures (key, width, format, bytes) values ('é', 96, 'avif', '\\x00ff5c'), ('A', 96, 'avif', '\\x22'), ('a', 96, 'avif', '')`,
  )
})
afterEach(async () => {
  await from.close()
  await to.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a dump', () => {
  test('restores the same rows, checksums and sequences in an empty database', async () => {
    const dump = await dumpDatabase(from.db, folder)
    expect(dump.tables.find(({ name }) => name === 'pictures')?.rows).toBeGreaterThan(0)
    expect(await isEmptyDatabase(to.db)).toBe(true)
    await loadDatabase(to.db, folder, dump)
    expect(await isEmptyDatabase(to.db)).toBe(false)

    const again = mkdtempSync(join(tmpdir(), 'guichet-dump-'))
    expect(await dumpDatabase(to.db, again)).toEqual(dump)
    rmSync(again, { recursive: true })
    const insert = sql`insert into networks (name) values ('next') returning id`
    const next = async ({ db }: OpenDatabase) => ((await db.execute(insert)) as { rows: unknown[] }).rows
    expect(await next(to)).toEqual(await next(from))
  })

  test('preserves texts, times and bytes', async () => {
    const name = 'É\u00a0«\\"\n☎️'
    await from.db.execute(sql`insert into networks (name, created_at) values (${name}, '2026-03-08 07:30:00.123456+00')`)
    await loadDatabase(to.db, folder, await dumpDatabase(from.db, folder))
    const query = sql`select name, created_at::text, (select sum(length(bytes)) from pictures)::int as size
      from networks where name = ${name}`
    const rows = async ({ db }: OpenDatabase) => ((await db.execute(query)) as { rows: unknown[] }).rows
    expect(await rows(to)).toEqual(await rows(from))
    expect(await rows(to)).toHaveLength(1)
  })

  test('restores the texts for searches without making them again for each message', async () => {
    await from.db.execute(
      sql`insert into chats (id, key, client_name, client_email, status) values (7, 'k', 'Zoé', 'zoe@example.com', 'closed')`,
    )
    await from.db.execute(sql`insert into chat_messages (chat_id, seq, message, from_staff, user_name)
      select 7, n, 'Été ' || n, false, 'Zoé' from generate_series(1, 3) n`)
    // Not what a trigger would make of the messages.
    await from.db.execute(sql`update chat_texts set text = text || ' stored'`)
    await loadDatabase(to.db, folder, await dumpDatabase(from.db, folder))
    const { rows } = (await to.db.execute(sql`select text from chat_texts`)) as { rows: { text: string }[] }
    expect(rows).toEqual([
      { text: expect.stringMatching(/^zoe\n\nzoe@example.com\n\[\]\nete 1\nete 2\nete 3 stored$/) as string },
    ])
  })

  test('of a large table restores it with all its indexes', async () => {
    await from.db.execute(sql`insert into mails (message_id, recipient, subject, body, state)
      select 'm-' || n, 'zoe@example.com', 'Été', 'Bonjour', 'sent' from generate_series(1, 1200) n`)
    const findIndexes = async ({ db }: OpenDatabase) =>
      (
        (await db.execute(sql`select indexname, indexdef from pg_indexes join pg_index on indexrelid = to_regclass(quote_ident(indexname))
        where schemaname = 'public' and indisvalid order by indexname`)) as { rows: unknown[] }
      ).rows
    const before = await findIndexes(to)
    await loadDatabase(to.db, folder, await dumpDatabase(from.db, folder))
    expect(await findIndexes(to)).toEqual(before)
    const { rows } = (await to.db.execute(sql`select reltuples from pg_class where relname = 'mails'`)) as { rows: unknown[] }
    expect(rows).toEqual([{ reltuples: 1_200 }])
  })

  test('restores a row that refers to a later one of its table', async () => {
    await from.db.execute(sql`insert into requests (id, kind, reference, name, email, message, language, merged_into_id)
      select n, 'support', 'AS-' || n, 'Zoé', 'zoe@example.com', 'Été', 'fr', case when n = 1 then 1200 end
      from generate_series(1, 1200) n`)
    await loadDatabase(to.db, folder, await dumpDatabase(from.db, folder))
    const { rows } = (await to.db.execute(sql`select merged_into_id as id from requests where id = 1`)) as { rows: unknown[] }
    expect(rows).toEqual([{ id: 1_200 }])
    await expect(to.db.execute(sql`update requests set merged_into_id = 9999 where id = 1`)).rejects.toThrow()
  })

  test('that was changed is rejected, and leaves nothing', async () => {
    const dump = await dumpDatabase(from.db, folder)
    appendFileSync(join(folder, 'networks.ndjson'), '{"id": 99, "name": "x"}\n')
    await expect(loadDatabase(to.db, folder, dump)).rejects.toThrow('networks is damaged')
    expect(await isEmptyDatabase(to.db)).toBe(true)
  })
})

test('a backup whose dump fails ends, leaves nothing, and does not keep the next one away', async () => {
  const file = join(folder, 'whole.tar.gz')
  const broken = () => {
    throw new Error('the connection is lost')
  }
  const target = { file, files: false }
  const config = { dataDir: folder, backupRecipients: [] }
  await expect(writeBackup(from.db, config, target, broken)).rejects.toThrow('the connection is lost')
  expect(readdirSync(folder)).toEqual([])
  expect((await writeBackup(from.db, config, target)).tables.length).toBeGreaterThan(0)
})
