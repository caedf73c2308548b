import { createHmac } from 'node:crypto'
import { and, asc, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { keyFor } from '../secrets/keys.ts'
import { chainStart, contentOf, createDigest } from './chain.ts'
import { formerJournalEntries, formerJournals } from './former-journals-table.ts'

type Row = typeof formerJournals.$inferSelect
type Sealed = Pick<Row, 'id' | 'lines' | 'lastHash' | 'digest'>

const page = 250

const sealOf = (db: Database, { id, lines, lastHash, digest }: Sealed) =>
  createHmac('sha256', keyFor(db, 'auditLog'))
    .update(JSON.stringify(['former', id, lines, lastHash, digest]))
    .digest('hex')

/** Seals the entries of a former journal, which are stored already: what is changed later is found. */
export async function closeFormerJournal(tx: Database, id: number, seals: unknown[]) {
  const row = { id, ...(await summarize(tx, id)) }
  await tx.insert(formerJournals).values({ ...row, seals, seal: sealOf(tx, row) })
}

const exported = z.object({
  id: z.int(),
  lines: z.int(),
  last_hash: z.string(),
  digest: z.string(),
  seals: z.array(z.unknown()),
  imported_at: z.string(),
})

/** Stores a former journal that came with another one; throws where its entries are not those that were closed. */
export async function verifyFormerJournal(tx: Database, given: unknown) {
  const { id, lines, last_hash: lastHash, digest, seals, imported_at: importedAt } = exported.parse(given)
  const found = await summarize(tx, id)
  if (found.lines !== lines || found.lastHash !== lastHash || found.digest !== digest)
    throw new Error(`the former journal ${id} was changed`)
  const row = { id, lines, lastHash, digest }
  await tx.insert(formerJournals).values({ ...row, seals, importedAt: new Date(importedAt), seal: sealOf(tx, row) })
  return id
}

/** Former journals with their number of entries; `isIntact`: they are still as they were closed. */
export async function verifyFormerJournals(db: Database) {
  const rows = await db.select().from(formerJournals).orderBy(asc(formerJournals.id))
  const verified = []
  for (const row of rows) {
    const found = await summarize(db, row.id)
    const isIntact =
      sealOf(db, row) === row.seal && found.lines === row.lines && found.lastHash === row.lastHash && found.digest === row.digest
    verified.push({ id: row.id, lines: row.lines, importedAt: row.importedAt, isIntact })
  }
  return verified
}

/** The entries of a former journal, oldest first, in parts. */
export async function* readFormerEntries(db: Database, id: number) {
  for (let lastId = 0; ;) {
    const rows = await db
      .select()
      .from(formerJournalEntries)
      .where(and(eq(formerJournalEntries.journalId, id), gt(formerJournalEntries.id, lastId)))
      .orderBy(asc(formerJournalEntries.id))
      .limit(page)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    lastId = last.id
  }
}

async function summarize(db: Database, id: number) {
  const digest = createDigest()
  let [lines, lastHash] = [0, chainStart]
  for await (const rows of readFormerEntries(db, id)) {
    for (const { journalId: _, ...entry } of rows) {
      digest.add(entry, contentOf(entry))
      lastHash = entry.hash
    }
    lines += rows.length
  }
  return { lines, lastHash, digest: digest.value() }
}
