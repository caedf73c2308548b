import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { asc, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { PersonalDataKind } from '../personal-data.ts'
import { inOrderOfErasure } from '../personal-data.ts'
import { keyFor } from '../secrets/keys.ts'
import type { ErasedRecord } from './erasures-file.ts'
import { addToErasures, erasuresName, keyOf, readErasures } from './erasures-file.ts'
import { erasures } from './erasures-table.ts'

/** The kind of the address itself, by which a restored person is found. */
const personKind = 'person'

const hashOf = (db: Database, kind: string, id: string) =>
  createHmac('sha256', keyFor(db, 'erasures')).update(`${kind}\n${id}`).digest('hex')

/** Records an erasure in its transaction: the address, where there is one, and each record by its kind and id. */
export async function recordErasure(tx: Database, address: string | null, erased: readonly { kind: string; id: string }[]) {
  const at = new Date()
  const all = [...(address === null ? [] : [{ kind: personKind, id: address }]), ...erased]
  const rows = all.map(({ kind, id }) => ({ kind, hash: hashOf(tx, kind, id), at }))
  for (let from = 0; from < rows.length; from += 1_000)
    await tx
      .insert(erasures)
      .values(rows.slice(from, from + 1_000))
      .onConflictDoNothing()
}

async function findRecorded(db: Database): Promise<ErasedRecord[]> {
  const rows = await db.select().from(erasures).orderBy(asc(erasures.id))
  return rows.map(({ kind, hash, at }) => ({ kind, hash, at: at.toISOString() }))
}

/** Writes what is recorded into `DATA_DIR`: after each erasure, and at the start for one that was interrupted before it. */
export async function writeErasures(db: Database, dataDir: string) {
  addToErasures(join(dataDir, erasuresName), await findRecorded(db))
}

/**
 * Erases again what the file of `DATA_DIR` has and this database does not know: it is a restored backup, older than those
 * erasures. Returns the number of records erased.
 */
export async function applyErasures(db: Database, dataDir: string, kinds: readonly PersonalDataKind[]): Promise<number> {
  const stored = readErasures(join(dataDir, erasuresName))
  if (stored.length === 0) return 0
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('erasures'))`)
    const known = new Set((await findRecorded(tx)).map(keyOf))
    const younger = stored.filter((record) => !known.has(keyOf(record)))
    if (younger.length === 0) return 0
    const hashes = new Set(younger.map(({ kind, hash }) => `${kind} ${hash}`))
    const isErased = (kind: string, id: string) => hashes.has(`${kind} ${hashOf(tx, kind, id)}`)
    let erased = 0
    for (const address of await findAddresses(tx, kinds)) {
      if (!isErased(personKind, address)) continue
      for (const { kind, erase } of inOrderOfErasure(kinds))
        erased += (await erase?.(tx, address, { isChosen: (id) => isErased(kind, id) })) ?? 0
    }
    // Also what was found by a name or a telephone number, whatever address it has.
    const erasedKinds = new Set(younger.map(({ kind }) => kind))
    for (const { kind, candidates } of kinds) {
      if (!candidates?.erase || !erasedKinds.has(kind)) continue
      const rows = await tx.select({ id: sql<string>`${candidates.ids}::text` }).from(candidates.ids.table)
      const ids = rows.map(({ id }) => id).filter((id) => isErased(kind, id))
      if (ids.length > 0) erased += await candidates.erase(tx, ids)
    }
    for (let from = 0; from < younger.length; from += 1_000) {
      const rows = younger.slice(from, from + 1_000).map(({ at, ...rest }) => ({ ...rest, at: new Date(at) }))
      await tx.insert(erasures).values(rows).onConflictDoNothing()
    }
    return erased
  })
}

/** Every address by which the kinds find somebody. */
async function findAddresses(tx: Database, kinds: readonly PersonalDataKind[]) {
  const found = new Set<string>()
  for (const column of kinds.flatMap(({ addresses = [] }) => addresses)) {
    const isList = column.dataType === 'array'
    const address = isList ? sql<string>`unnest(${column})` : sql<string>`lower(${column})`
    for (const row of await tx.selectDistinct({ address }).from(column.table)) if (row.address) found.add(row.address)
  }
  return found
}
