import type { SQL } from 'drizzle-orm'
import { eq, getTableName, inArray, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { EnglishOlder, Pair } from '#src/lib/language/english-older.ts'
import { missingEnglish, updateEnglishOlder } from '#src/lib/language/english-older.ts'
import type { EntryKind, Label } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Area } from '#src/lib/rights.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { findLastChange, findOwnDeletion, recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import type { ContentRow, ContentTable } from './content-writer.ts'
import { createContentWriter } from './content-writer.ts'
import { fieldsOf } from '../versions/values.ts'
import { RefusedVersion } from './refused-version.ts'
import type { Events } from '#src/server/live/events.ts'
import { Conflict, NotFound } from '#src/server/problems.ts'

type AnyInput = { version?: number | undefined; english_reviewed?: string[] | undefined }

/** A caller within a transaction passes `events` that publish only after its commit. */
export type ContentContext = { db: Database; events: Pick<Events, 'changed'> }

/** A deleted entry, as the audit log stored it. */
export type DeletedEntry = Record<string, unknown> & { version: number; created_at?: string; english_older?: EnglishOlder }

/** An entry whose English is missing, or older than its French since a moment (ISO 8601). */
export type EntryToReview = { id: number; name: string; isMissing: boolean; olderSince: string | null }

/** What staff find an entry by; `words` are in both languages. */
export type EntryWords = { id: number; title: Record<Language, string>; text: Record<Language, string>; words: string }

type Definition<Table extends ContentTable, Entity, Input> = {
  /** As declared by the feature: area of rights and of the audit log, and kind. */
  entry: EntryKind & { area: Area }
  /** True where no public page shows it, so that open pages are not notified of changes. */
  isInternal?: boolean
  /** Entries that forbid creating this one, where only one may be shown: it is a `Conflict` with the first of them. */
  rivalsOf?: (input: Input) => SQL | undefined
  table: Table
  orderBy: SQL[]
  /** Input schema of the API; also validates a restored entry. */
  input: z.ZodType<Input> & { shape: object }
  idKey: keyof Entity & string
  nameOf: (entity: Entity) => string
  /** Words that staff find it by, besides its name and its `pairs`. */
  alsoFoundBy?: (entity: Entity) => string
  /** French fields with their English ones, where the table has the column `english_older`. */
  pairs?: readonly Pair[]
  /** The fields to review when they are not `pairs` of the entry itself; null when the entry is no longer shown. */
  reviewOf?: (entity: Entity) => { pairs: readonly Pair[]; fields: object } | null
  toEntity: (row: Table['$inferSelect']) => Entity
  toRow: (input: Input) => Partial<Table['$inferInsert']>
  /**
   * A former state as it can be taken over now: parts of it may be gone, or follow something else. `isUndo`: it is the one that
   * the last change replaced.
   */
  fromFormer?: (db: Database, former: Input, current: Entity, isUndo: boolean) => Promise<Input>
  /** Converts a database error into a problem for the caller. */
  explain?: (error: unknown) => unknown
  /** Runs first in the transaction of each change: a lock taken here comes before those of the entries and the audit log. */
  onBegin?: (tx: Database) => Promise<void>
  /** Runs in the transaction of each change; `before` is null for a new entry, `after` for a deleted one. */
  onChange?: (tx: Database, author: Author, before: Entity | null, after: Entity | null) => Promise<void>
  /** Runs once a change is stored, before others hear of it. */
  afterCommit?: (context: ContentContext) => Promise<void>
}

/** A recorded state to take over, and whether that undoes the last change. */
type FormerState = { state: DeletedEntry; isUndo: boolean }
/** By the version that the entry has now. */
type FindFormer = (version: number) => FormerState

/** For how long somebody can undo their own deletion without the audit log. */
const undoMs = 600_000

/** Of a text that is its entry's only name. */
const nameLength = 60

const nameOfKind = (label: string) => label.replace(/\s*\{id\}/, '')

/**
 * One kind of edited content and its operations. Each change is one transaction with its audit event, published once after the
 * commit. A save based on another `version` than the stored one throws a `Conflict` with the stored entry.
 */
export function defineContent<Table extends ContentTable, Entity extends object, Input extends AnyInput>(
  definition: Definition<Table, Entity, Input>,
) {
  const { entry, isInternal, rivalsOf, orderBy, input, idKey, nameOf, alsoFoundBy, pairs, toEntity, toRow } = definition
  const { explain, onBegin, onChange, afterCommit, fromFormer } = definition
  const { area, kind } = entry
  // Drizzle cannot type queries on a generic table, so its shape is asserted here, once.
  const table = definition.table as ContentTable
  const entityOf = (row: unknown) => toEntity(row as Table['$inferSelect'])
  const auditId = (id: number) => (kind ? `${kind}/${id}` : id)
  const reviewOf = definition.reviewOf ?? ((entity: Entity) => pairs && { pairs, fields: entity })

  async function change<Result>(context: ContentContext, work: (tx: Database) => Promise<Result>) {
    const { db, events } = context
    const begin = async (tx: Database) => {
      await onBegin?.(tx)
      return work(tx)
    }
    const result = await db.transaction(begin).catch(async (error: unknown) => {
      if (error instanceof RefusedVersion) await error.keep(db)
      throw explain?.(error) ?? error
    })
    await afterCommit?.(context)
    if (!isInternal) events.changed(area)
    return result
  }

  async function lock(tx: Database, id: number) {
    const rows: unknown[] = await tx.select().from(table).where(eq(table.id, id)).for('update')
    const row = rows[0] as ContentRow | undefined
    if (!row) throw new NotFound('This entry does not exist.')
    return row
  }

  /** One new entry at a time. */
  const lockSingle = (tx: Database) => tx.execute(sql`select pg_advisory_xact_lock(hashtext(${getTableName(table)}))`)

  async function refuseSecond(tx: Database, author: Author, given: Input) {
    const rivals = rivalsOf?.(given)
    if (!rivals) return
    await lockSingle(tx)
    const rows: unknown[] = await tx.select().from(table).where(rivals).limit(1)
    if (rows.length > 0) await refuse(tx, author, rows[0])
  }

  /** `refused`: what was to be stored, which is kept. */
  async function refuse(tx: Database, author: Author, row: unknown, refused: object = {}): Promise<never> {
    const [before, after] = [entityOf(row), entityOf({ ...(row as ContentRow), ...refused })]
    throw await RefusedVersion.of(tx, author, { area, entryId: auditId((row as ContentRow).id), before, after })
  }

  /** English fields that are outdated once these values are stored. */
  function markEnglish(row: ContentRow, values: object, reviewed: string[] | undefined) {
    if (!pairs) return {}
    const after = entityOf({ ...row, ...values })
    return { englishOlder: updateEnglishOlder(pairs, row.englishOlder, entityOf(row), after, reviewed) }
  }

  /** The input that a recorded state was saved with. */
  function inputOf(state: DeletedEntry) {
    const fields = Object.keys(input.shape).filter((key) => key !== 'version' && key in state)
    const parsed = input.safeParse(Object.fromEntries(fields.map((key) => [key, state[key]])))
    if (!parsed.success) throw new Conflict('This entry was stored in an older format and cannot be restored automatically.')
    return parsed.data
  }

  /** What taking over a recorded state stores: a field that it does not say stays as it is. */
  async function valuesOfFormer(db: Database, row: ContentRow, { state, isUndo }: FormerState) {
    const current = entityOf(row)
    const given = inputOf({ ...current, ...state })
    return {
      ...toRow(fromFormer ? await fromFormer(db, given, current, isUndo) : given),
      ...(pairs && { englishOlder: state.english_older ?? {} }),
    }
  }

  type Stored = { row: ContentRow; values: object; action: 'update' | 'reuse' }
  async function store(tx: Database, author: Author, { row, values, action }: Stored) {
    const before = entityOf(row)
    const rows: unknown[] = await tx
      .update(table)
      .set({ ...values, version: row.version + 1, updatedAt: sql`now()` })
      .where(eq(table.id, row.id))
      .returning()
    const after = entityOf(rows[0])
    await recordChange(tx, author, { area, action, entryId: auditId(row.id), before, after })
    await onChange?.(tx, author, before, after)
    return after
  }

  async function findAll(db: Database): Promise<Entity[]> {
    const rows: unknown[] = await db
      .select()
      .from(table)
      .orderBy(...orderBy)
    return rows.map(entityOf)
  }

  function wordsOfEntry(entity: Entity): EntryWords {
    const fields = entity as Record<string, unknown>
    const textOf = (key: string) => {
      const value = String(fields[key] ?? '')
      return entry.richText?.includes(key) ? textOfHtml(value) : value
    }
    const name = nameOf(entity)
    const title = pairs?.find(([french]) => name === '' || fields[french] === name)
    const others = pairs?.filter((pair) => pair !== title) ?? []
    return {
      id: Number(fields[idKey]),
      title: title ? { fr: textOf(title[0]), en: textOf(title[1]) } : { fr: name, en: name },
      text: {
        fr: others.map(([french]) => textOf(french)).join('\n'),
        en: others.map(([, english]) => textOf(english)).join('\n'),
      },
      words: alsoFoundBy?.(entity) ?? '',
    }
  }

  return {
    area,
    kind,
    entry,
    isInternal: isInternal === true,
    /** The table, and what its entries are called. */
    table: table as PgTable,
    label: { fr: nameOfKind(entry.label.fr), en: nameOfKind(entry.label.en) },
    input,
    toEntity,
    lockSingle,
    findAll,
    async find(db: Database, id: number): Promise<Entity> {
      const rows: unknown[] = await db.select().from(table).where(eq(table.id, id))
      if (rows.length === 0) throw new NotFound('This entry does not exist.')
      return entityOf(rows[0])
    },
    /** The name that a recorded state had: its title, or the beginning of its text. */
    nameOfState(state: unknown) {
      const fields = fieldsOf(state)
      const text = nameOf(fields as Entity) ?? ''
      const found = text || pairs?.map(([french]) => String(fields[french] ?? '')).find((one) => textOfHtml(one).trim())
      const plain = found ? textOfHtml(found).replaceAll(/\s+/g, ' ').trim() : ''
      return plain === '' ? null : plain.length > nameLength ? `${plain.slice(0, nameLength)}…` : plain
    },
    /** The number and the version of every entry. */
    async findVersions(db: Database) {
      return (await db.select({ id: table.id, version: table.version }).from(table)) as { id: number; version: number }[]
    },
    async findWords(db: Database, ids: readonly number[]): Promise<EntryWords[]> {
      const rows: unknown[] = await db
        .select()
        .from(table)
        .where(inArray(table.id, [...ids]))
      return rows.map((row) => wordsOfEntry(entityOf(row)))
    },
    async create(context: ContentContext, author: Author, given: Input): Promise<Entity> {
      return change(context, async (tx) => {
        await refuseSecond(tx, author, given)
        const rows: unknown[] = await tx.insert(table).values(toRow(given)).returning()
        const after = entityOf(rows[0])
        await recordChange(tx, author, { area, action: 'create', entryId: auditId((rows[0] as ContentRow).id), after })
        await onChange?.(tx, author, null, after)
        return after
      })
    },
    async update(context: ContentContext, author: Author, id: number, given: Input): Promise<Entity> {
      return change(context, async (tx) => {
        const row = await lock(tx, id)
        const values = toRow(given)
        if (given.version !== undefined && given.version !== row.version) await refuse(tx, author, row, values)
        return store(tx, author, {
          row,
          values: { ...values, ...markEnglish(row, values, given.english_reviewed) },
          action: 'update',
        })
      })
    },
    /** The entry as it is, and as it would be once a recorded state is taken over. */
    async compare(db: Database, id: number, findFormer: FindFormer) {
      const [row] = (await db.select().from(table).where(eq(table.id, id))) as ContentRow[]
      if (!row) throw new NotFound('This entry does not exist.')
      const former = entityOf({ ...row, ...(await valuesOfFormer(db, row, findFormer(row.version))) })
      return { current: entityOf(row), former, version: row.version }
    },
    /** Takes over a recorded state, as one change of the entry as it was at `version`. */
    async reuse(context: ContentContext, author: Author, id: number, former: FormerState, version: number): Promise<Entity> {
      return change(context, async (tx) => {
        const row = await lock(tx, id)
        if (version !== row.version) await refuse(tx, author, row)
        return store(tx, author, { row, values: await valuesOfFormer(tx, row, former), action: 'reuse' })
      })
    },
    /** With a `version`, only what was not changed since. */
    async remove(context: ContentContext, author: Author, id: number, version?: number) {
      await change(context, async (tx) => {
        const row = await lock(tx, id)
        if (version !== undefined && row.version !== version) throw new Conflict('This entry was changed in the meantime.')
        const before = entityOf(row)
        await tx.delete(table).where(eq(table.id, id))
        await recordChange(tx, author, { area, action: 'delete', entryId: auditId(id), before })
        await onChange?.(tx, author, before, null)
      })
    },
    /** Restores a deleted entry under its id, with a higher version, so that no form opened before overwrites it. */
    async restore(context: ContentContext, author: Author, deleted: DeletedEntry): Promise<Entity> {
      const given = inputOf(deleted)
      const id = Number(deleted[idKey])
      const former = {
        id,
        version: deleted.version + 1,
        ...(deleted.created_at && { createdAt: new Date(deleted.created_at) }),
        ...(deleted.english_older && { englishOlder: deleted.english_older }),
      }
      return change(context, async (tx) => {
        await refuseSecond(tx, author, given)
        const rows: unknown[] = await tx
          .insert(table)
          .values({ ...toRow(given), ...former })
          .onConflictDoNothing()
          .returning()
        if (rows.length === 0) throw new Conflict('This entry already exists.')
        const after = entityOf(rows[0])
        await recordChange(tx, author, { area, action: 'restore', entryId: auditId(id), after })
        await onChange?.(tx, author, null, after)
        return after
      })
    },
    /** Stores imported entries as they are: their import is one audit event of its own. */
    importer: createContentWriter<Input, Entity>({ area, path: entry.path, table, toRow, entityOf, nameOf, lock, onChange }),
    /** What this person deleted in the last minutes, to put it back; throws where there is nothing of theirs. */
    async findDeleted(db: Database, author: Author, id: number): Promise<DeletedEntry> {
      const since = new Date(Date.now() - undoMs)
      const deleted = await findOwnDeletion(db, area, auditId(id), author, since)
      if (!deleted) throw new NotFound('You did not delete this entry in the last ten minutes.')
      return deleted as DeletedEntry
    },
    /** Author and time of the last save; null where the audit log has none. */
    findLastChange: (db: Database, id: number) => findLastChange(db, area, auditId(id)),
    async findToReview(db: Database): Promise<EntryToReview[]> {
      const found: EntryToReview[] = []
      for (const entity of await findAll(db)) {
        const review = reviewOf(entity)
        if (!review) continue
        const { english_older: older = {} } = entity as { english_older?: EnglishOlder }
        const isMissing = missingEnglish(review.pairs, review.fields).length > 0
        const olderSince = Object.values(older).toSorted()[0] ?? null
        if (isMissing || olderSince) found.push({ id: Number(entity[idKey]), name: nameOf(entity), isMissing, olderSince })
      }
      return found
    },
  }
}

export type Content<Entity extends object, Input> = {
  area: Area
  kind?: string | undefined
  table: PgTable
  label: Label
  entry: EntryKind
  isInternal: boolean
  input: z.ZodType<Input>
  nameOfState: (state: unknown) => string | null
  findVersions: (db: Database) => Promise<{ id: number; version: number }[]>
  findWords: (db: Database, ids: readonly number[]) => Promise<EntryWords[]>
  findAll: (db: Database) => Promise<Entity[]>
  find: (db: Database, id: number) => Promise<Entity>
  create: (context: ContentContext, author: Author, input: Input) => Promise<Entity>
  update: (context: ContentContext, author: Author, id: number, input: Input) => Promise<Entity>
  remove: (context: ContentContext, author: Author, id: number, version?: number) => Promise<void>
  restore: (context: ContentContext, author: Author, deleted: DeletedEntry) => Promise<Entity>
  reuse: (context: ContentContext, author: Author, id: number, former: FormerState, version: number) => Promise<Entity>
  compare: (db: Database, id: number, findFormer: FindFormer) => Promise<{ current: Entity; former: Entity; version: number }>
  findDeleted: (db: Database, author: Author, id: number) => Promise<DeletedEntry>
  findLastChange: (db: Database, id: number) => Promise<{ at: Date; name: string } | null>
  findToReview: (db: Database) => Promise<EntryToReview[]>
}

/** The part of every kind of content that the audit log, the translation list and the search of staff use. */
export type AnyContent = Pick<
  Content<object, never>,
  | 'area'
  | 'kind'
  | 'table'
  | 'label'
  | 'entry'
  | 'isInternal'
  | 'compare'
  | 'remove'
  | 'restore'
  | 'reuse'
  | 'nameOfState'
  | 'findToReview'
  | 'findVersions'
  | 'findWords'
> & { input: z.ZodType & { shape: object } }
