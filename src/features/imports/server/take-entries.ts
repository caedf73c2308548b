import { createHash } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ImportContext, ImportWriter, SourceEntry } from '#src/features/content/server/importing.ts'
import { cut, Refused } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Database } from '#src/server/database/database.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import type { PreviewEntry } from '../contract.ts'
import type { ImportCounts } from './table.ts'
import { importEntries, importRefusals, imports } from './table.ts'

/** Characters of a name that are stored. */
export const nameMax = 200
export type Writers = Readonly<Record<string, ImportWriter>>
type Outcome = PreviewEntry['outcome']
type Known = typeof importEntries.$inferSelect
/** What is to be done with one entry of the source. */
export type Decision = {
  entry: SourceEntry
  key: string
  digest: string
  writer: string
  outcome: Outcome
  values?: unknown
  id?: number
  reason?: Label
  /** Parts of it that are not taken. */
  parts?: { name: string; reason: Label }[]
}

const reasons = {
  edited: {
    fr: 'Modifiée ici depuis son importation : elle reste telle quelle.',
    en: 'Edited here since it was imported: left as it is.',
  },
  deleted: { fr: 'Supprimée ici depuis son importation.', en: 'Deleted here since it was imported.' },
  repeated: {
    fr: 'Le même identifiant est plus haut dans la source, avec un autre contenu.',
    en: 'The same ID is further up in the source, with other content.',
  },
  kind: { fr: 'Importée comme un autre type de fiche.', en: 'Imported as another type of entry.' },
  fixed: {
    fr: 'Déjà importée; ses changements à la source ne sont pas repris.',
    en: 'Already imported; its changes at the source are not taken over.',
  },
  taken: { fr: 'Une fiche d’ici a déjà cette valeur unique.', en: 'An entry here already has this unique value.' },
  page: { fr: 'La page où cette adresse menait n’est pas importée.', en: 'The page that this address led to is not imported.' },
  unknown: { fr: 'Ce type de fiche ne peut pas être importé.', en: 'This type of entry cannot be imported.' },
}

const sum = (figures: Record<string, number>) => Object.values(figures).reduce((total, one) => total + one, 0)
/** What a source holds: every entry is one of these. */
export const totalOf = ({ created, updated, leftOut, known, refused }: ImportCounts) =>
  sum(created) + sum(updated) + sum(leftOut) + known + refused

export const noCounts = (): ImportCounts => ({ created: {}, updated: {}, leftOut: {}, known: 0, refused: 0 })
const hashOf = (value: string) => createHash('sha256').update(value).digest('base64url')
/** Of an entry with parts that were not taken, so that its digest differs from that of the source. */
const digestInPart = (digest: string) => hashOf(`${digest} in part`)
const add = (counts: Record<string, number>, name: string, by = 1) => {
  counts[name] = (counts[name] ?? 0) + by
}

/** Of all batches of a trial, which stores nothing: the digest of each entry by its key. */
type Trial = { earlier: Map<string, string> }

/**
 * Decides about entries of a source, in their order; nothing is written. `planned` collects those that this import creates, where
 * others may lead to them.
 */
export async function decideAll(
  {
    db,
    source,
    writers,
    context,
    planned,
    trial,
    importId,
  }: {
    db: Database
    source: string
    writers: Writers
    context: ImportContext
    planned: Set<string> | null
    trial: Trial | null
    importId?: number
  },
  entries: SourceEntry[],
) {
  const given = entries.map((entry) => ({ entry, key: hashOf(entry.id), digest: hashOf(JSON.stringify(entry.values)) }))
  const known = await findKnown(
    db,
    source,
    given.map(({ key }) => key),
  )
  const marks = await findMarks(db, writers, [...known.values()])
  const leading = entries.flatMap(({ leadsTo }) => (leadsTo ? hashOf(leadsTo.id) : []))
  const pages = leading.length > 0 ? await findKnown(db, source, leading) : new Map<string, Known>()
  const created = new Set<string>()
  const isLost = ({ leadsTo }: SourceEntry) => leadsTo && ![planned, created, pages].some((some) => some?.has(hashOf(leadsTo.id)))
  const decisions: Decision[] = []
  const earlier = trial?.earlier ?? new Map<string, string>()
  // Stored by an earlier batch of this import; an entry that was taken in part is tried again.
  for (const { key, digest } of given) {
    const stored = known.get(key)
    if (stored && stored.importId === importId && stored.digest !== digestInPart(digest)) earlier.set(key, stored.digest)
  }
  for (const one of given) {
    const name = one.entry.writer ?? Object.keys(writers)[0] ?? ''
    const decision = { ...one, writer: name }
    if (one.entry.refused) decisions.push({ ...decision, outcome: 'refused', reason: one.entry.refused })
    else if (earlier.has(one.key))
      decisions.push(
        earlier.get(one.key) === one.digest
          ? { ...decision, outcome: 'known' }
          : { ...decision, outcome: 'refused', reason: reasons.repeated },
      )
    else if (isLost(one.entry)) decisions.push({ ...decision, outcome: 'refused', reason: reasons.page })
    else decisions.push({ ...decision, ...(await decide(decision, writers[name], known.get(one.key), marks, context)) })
    const outcome = decisions.at(-1)?.outcome
    if (outcome !== 'refused') earlier.set(one.key, one.digest)
    if (outcome === 'created') created.add(one.key)
  }
  const decided = await refuseTaken(db, writers, decisions, trial)
  for (const { outcome, entry, key } of decided) if (outcome === 'created' && !entry.leadsTo) planned?.add(key)
  return decided
}

/** New entries that clash with what is here already. */
async function refuseTaken(db: Database, writers: Writers, decisions: Decision[], trial: object | null) {
  const taken = new Map<Decision, Label>()
  for (const [name, { findTaken }] of Object.entries(writers)) {
    const created = decisions.filter(({ outcome, writer }) => outcome === 'created' && writer === name)
    if (!findTaken || created.length === 0) continue
    const found = await findTaken(
      db,
      created.map(({ values }) => values),
      trial,
    )
    created.forEach((one, index) => found[index] && taken.set(one, found[index]))
  }
  return decisions.map((one): Decision => {
    const reason = taken.get(one)
    return reason ? { ...one, outcome: 'refused', reason } : one
  })
}

type Verdict = Pick<Decision, 'outcome'> & Partial<Decision>

async function decide(
  { entry, digest, writer: name }: Pick<Decision, 'entry' | 'digest' | 'writer'>,
  writer: ImportWriter | undefined,
  known: Known | undefined,
  marks: ReadonlyMap<string, string>,
  context: ImportContext,
): Promise<Verdict> {
  if (!writer) return { outcome: 'refused', reason: reasons.unknown }
  if (known?.digest === digest) return { outcome: 'known' }
  if (known && known.writer !== name) return { outcome: 'refused', reason: reasons.kind }
  if (known && !writer.update) return { outcome: 'refused', reason: reasons.fixed }
  const mark = known && marks.get(`${known.writer}/${known.entryId}`)
  if (known && mark === undefined) return { outcome: 'refused', reason: reasons.deleted }
  if (known && mark !== known.mark) return { outcome: 'refused', reason: reasons.edited }
  try {
    const parts: NonNullable<Decision['parts']> = []
    const loaded = entry.load ? await entry.load((part, reason) => parts.push({ name: part, reason })) : entry.values
    const values = await writer.check(loaded, context)
    // Another import of the same source tries again what is not here.
    const found = parts.length > 0 ? { values, parts, digest: digestInPart(digest) } : { values }
    return known ? { outcome: 'updated', id: known.entryId, ...found } : { outcome: 'created', ...found }
  } catch (error) {
    if (error instanceof Refused) return { outcome: 'refused', reason: error.reason }
    throw error
  }
}

async function findKnown(db: Database, source: string, keys: string[]) {
  const rows = await db
    .select()
    .from(importEntries)
    .where(and(eq(importEntries.source, source), inArray(importEntries.entry, keys)))
  return new Map(rows.map((row) => [row.entry, row]))
}

/** The marks of stored entries, by `writer/id`. */
export async function findMarks(db: Database, writers: Writers, known: readonly Pick<Known, 'writer' | 'entryId'>[]) {
  const marks = new Map<string, string>()
  for (const name of new Set(known.map(({ writer }) => writer))) {
    const ids = known.filter(({ writer }) => writer === name).map(({ entryId }) => entryId)
    for (const [id, mark] of (await writers[name]?.findMarks(db, ids)) ?? []) marks.set(`${name}/${id}`, mark)
  }
  return marks
}

/** Adds decisions to the figures of an import. */
export function countAll(counts: ImportCounts, decisions: readonly Decision[], writers: Writers) {
  for (const { outcome, writer, parts } of decisions) {
    if (outcome === 'known') counts.known += 1
    else if (outcome === 'refused') counts.refused += 1
    else {
      add(counts[outcome], writers[writer]?.area ?? writer)
      counts.refused += parts?.length ?? 0
    }
  }
}

export function countLeftOut(counts: ImportCounts, what: string, by = 1) {
  add(counts.leftOut, what, by)
}

export class NotRunning extends Error {}

type Batch = { importId: number; source: string; writers: Writers; context: ImportContext; holder: string; leaseMs: number }

/**
 * Writes decisions, with the rows that remember them and how far the import is, in one transaction. Throws `NotRunning` where
 * the import was stopped, or another process works on it.
 */
export async function writeAll(db: Database, batch: Batch, decisions: Decision[], done: number, counts: ImportCounts) {
  const write = (isCareful: boolean) =>
    db.transaction(async (tx) => {
      const decided = await storeEntries(tx, batch, decisions, isCareful)
      await storeRefusals(tx, batch.importId, decided)
      const total = structuredClone(counts)
      countAll(total, decided, batch.writers)
      const leaseUntil = new Date(Date.now() + batch.leaseMs)
      const rows = await tx
        .update(imports)
        .set({ done, counts: total, leaseUntil })
        .where(and(eq(imports.id, batch.importId), eq(imports.state, 'running'), eq(imports.holder, batch.holder)))
        .returning({ id: imports.id })
      if (rows.length === 0) throw new NotRunning()
      return total
    })
  return write(false).catch((error: unknown) => {
    // One of them cannot be stored: the others are, each in a part of the transaction.
    if (error instanceof Refused || isUniqueViolation(error)) return write(true)
    throw error
  })
}

async function storeEntries(tx: Database, batch: Batch, decisions: readonly Decision[], isCareful: boolean) {
  const decided: Decision[] = []
  const created = decisions.filter(({ outcome }) => outcome === 'created')
  const parts = isCareful ? created.map((one) => [one]) : groupByWriter(created)
  for (const part of parts) decided.push(...(await refusing(tx, isCareful, part, (inner) => createPart(inner, batch, part))))
  for (const one of decisions) {
    if (one.outcome === 'updated')
      decided.push(...(await refusing(tx, isCareful, [one], (inner) => updateOne(inner, batch, one))))
    else if (one.outcome !== 'created') decided.push(one)
  }
  return decided
}

const groupByWriter = (decisions: readonly Decision[]) =>
  [...new Set(decisions.map(({ writer }) => writer))].map((name) => decisions.filter(({ writer }) => writer === name))

/** Runs a part within its own savepoint where one of the batch failed before; what fails is refused. */
async function refusing(tx: Database, isCareful: boolean, part: readonly Decision[], work: (tx: Database) => Promise<void>) {
  if (!isCareful) {
    await work(tx)
    return part
  }
  try {
    await tx.transaction(work)
    return part
  } catch (error) {
    const reason = error instanceof Refused ? error.reason : isUniqueViolation(error) ? reasons.taken : null
    if (!reason) throw error
    return part.map((one) => ({ ...one, outcome: 'refused' as const, reason }))
  }
}

async function createPart(tx: Database, { importId, source, writers, context }: Batch, part: readonly Decision[]) {
  const name = part[0]?.writer ?? ''
  const writer = writers[name]
  if (!writer) throw new Refused(reasons.unknown)
  const ids = await writer.create(tx, await withTargets(tx, source, writers, part), context)
  const marks = await writer.findMarks(tx, ids)
  await tx.insert(importEntries).values(
    part.map(({ key, digest }, index) => {
      const entryId = ids[index] ?? 0
      return { source, entry: key, importId, writer: name, entryId, digest, mark: marks.get(entryId) ?? '' }
    }),
  )
}

/** The values of new entries, with the address here of the page that each leads to. */
async function withTargets(tx: Database, source: string, writers: Writers, part: readonly Decision[]) {
  const leading = part.flatMap(({ entry: { leadsTo } }) => (leadsTo ? hashOf(leadsTo.id) : []))
  if (leading.length === 0) return part.map(({ values }) => values)
  const pages = await findKnown(tx, source, leading)
  const paths = new Map<string, Record<Language, string>>()
  for (const name of new Set([...pages.values()].map(({ writer }) => writer))) {
    const ids = [...pages.values()].flatMap(({ writer, entryId }) => (writer === name ? entryId : []))
    for (const [id, path] of (await writers[name]?.findPages?.(tx, ids)) ?? []) paths.set(`${name}/${id}`, path)
  }
  return part.map(({ entry: { leadsTo }, values }) => {
    if (!leadsTo) return values
    const page = pages.get(hashOf(leadsTo.id))
    const to = page && paths.get(`${page.writer}/${page.entryId}`)?.[leadsTo.language]
    if (!to) throw new Refused(reasons.page)
    return { ...(values as object), to }
  })
}

async function updateOne(
  tx: Database,
  { importId, source, writers, context }: Batch,
  { writer: name, id, values, digest, key }: Decision,
) {
  const writer = writers[name]
  if (!writer?.update || id === undefined) throw new Refused(reasons.unknown)
  await writer.update(tx, id, values, context)
  const marks = await writer.findMarks(tx, [id])
  await tx
    .update(importEntries)
    .set({
      digest,
      mark: marks.get(id) ?? '',
      isUpdated: sql`${importEntries.isUpdated} or ${importEntries.importId} <> ${importId}`,
    })
    .where(and(eq(importEntries.source, source), eq(importEntries.entry, key)))
}

async function storeRefusals(tx: Database, importId: number, decided: readonly Decision[]) {
  const rows = decided.flatMap(({ entry, reason, parts = [] }) =>
    (reason ? [{ name: entry.name, reason }] : parts).map((one) => ({
      ...{ importId, at: cut(entry.at, nameMax), name: cut(one.name, nameMax), reason: one.reason },
    })),
  )
  if (rows.length > 0) await tx.insert(importRefusals).values(rows)
}
