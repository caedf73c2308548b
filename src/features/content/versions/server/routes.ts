import type { FastifyRequest } from 'fastify'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { findEntryKind, needsOf } from '#src/lib/feature.ts'
import type { Area, GivenLevel, Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { idParam } from '#src/lib/schemas.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { decryptEntries } from '#src/server/audit-log/audit-log.ts'
import { Conflict, Forbidden, NotFound } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { AnyContent } from '../../server/content.ts'
import { comparedVersion, reused, reuseInput, storedVersion, versionQuery, versionsQuery } from '../contract.ts'
import { fieldsOf, versionActions } from '../values.ts'

/** Settings of one row, whose former states can be taken over as those of content. */
export type StoredSettings = {
  area: Area
  /** `PUT` of the settings requires a recent sign-in. */
  isGuarded?: true
  input: z.ZodType & { shape: object }
  read: (app: App) => Promise<State>
  /** A former state as it can be taken over now: parts of it may be gone. */
  fromFormer?: (app: App, former: Fields, current: Fields) => Promise<Fields>
  /** Throws a `Conflict` where the version is not the last. */
  save: (app: App, author: Author, input: never) => Promise<State>
}

type Row = typeof auditLog.$inferSelect
type Named = Pick<Row, 'area' | 'entryId'>
type Fields = Record<string, unknown>
type State = object & { version: number }
type EventState = 'after' | 'before'

/** What a recorded state of an entry is compared with and put back by. */
type Versioned = {
  compare: (row: Row, state: EventState) => Promise<{ current: object; former: object; version: number }>
  reuse: (author: Author, row: Row, state: EventState, version: number) => Promise<State>
}

const readState = (row: Row, state: EventState) => {
  if (!row[state]) throw new NotFound('This version does not exist.')
  return row[state] as State
}

const settingsId = 'settings'

/** The kind of content an event is about; entries of a named kind are written `kind/id`. */
export function findContent(contents: readonly AnyContent[], { area, entryId }: Named) {
  const kind = entryId?.includes('/') ? entryId.split('/')[0] : undefined
  return contents.find((one) => one.area === area && one.kind === kind)
}

/** True where former states of this entry can be taken over. */
export const hasVersions = ({ contents, storedSettings }: Pick<App, 'contents' | 'storedSettings'>, named: Named) =>
  named.entryId === settingsId
    ? storedSettings.some(({ area }) => area === named.area)
    : named.entryId !== null && findContent(contents, named) !== undefined

function findVersioned(app: App, named: Named): Versioned | null {
  if (!hasVersions(app, named)) return null
  const settings = named.entryId === settingsId && app.storedSettings.find(({ area }) => area === named.area)
  if (settings) {
    // A field that the former state does not say stays as it is.
    const inputOf = async (row: Row, state: EventState, current: Fields) => {
      const stored = { ...current, ...fieldsOf(readState(row, state)), version: current.version }
      const given: Fields = settings.fromFormer ? await settings.fromFormer(app, stored, current) : stored
      const fields = Object.keys(settings.input.shape).filter((key) => key in given)
      const parsed = settings.input.safeParse(Object.fromEntries(fields.map((key) => [key, given[key]])))
      if (!parsed.success) throw new Conflict('This version was stored in an older format and cannot be taken over.')
      return fieldsOf(parsed.data)
    }
    return {
      async compare(row, state) {
        const current = await settings.read(app)
        const former = await inputOf(row, state, fieldsOf(current))
        return { current, former: { ...current, ...former }, version: current.version }
      },
      async reuse(author, row, state, version) {
        const given = await inputOf(row, state, fieldsOf(await settings.read(app)))
        return settings.save(app, author, { ...given, version } as never)
      },
    }
  }
  const content = findContent(app.contents, named)
  const id = Number(named.entryId?.split('/').at(-1))
  if (!content || !Number.isInteger(id)) return null
  const formerOf = (row: Row, state: EventState, version: number) => {
    const former = readState(row, state)
    return { state: { ...former }, isUndo: state === 'before' && former.version + 1 === version }
  }
  return {
    compare: (row, state) => content.compare(app.db, id, (version) => formerOf(row, state, version)),
    reuse: (author, row, state, version) =>
      content.reuse(app, author, id, formerOf(row, state, version), version) as Promise<State>,
  }
}

/** What changing the entry requires. */
function checkRight(app: App, rights: Rights, { area, entryId }: Named) {
  const kind = findEntryKind(app.features, area, entryId ?? '')
  const needed: { area: Area; level: GivenLevel } = kind ? needsOf(kind) : { area: area as Area, level: 'read_write' }
  if (!hasRight(rights, needed.area, needed.level)) throw new Forbidden()
}

const rightsOf = ({ actor }: FastifyRequest): Rights => (actor.mustSetUpTotp ? {} : actor.rights)
const params = z.strictObject({ id: idParam })
const shown = 30

/** `/api/versions`: the states that an entry had, for those who may change it; one of them replaces the current one. */
export const versionRoutes: Routes = async (app) => {
  const { db } = app
  const config = { access: 'signed-in' } as const

  async function findEvent(request: FastifyRequest) {
    const { id } = request.params as { id: number }
    const [row] = await decryptEntries(db, await db.select().from(auditLog).where(eq(auditLog.id, id)))
    const versioned = row && findVersioned(app, row)
    if (!row || !versioned) throw new NotFound('This version does not exist.')
    checkRight(app, rightsOf(request), row)
    return { row, versioned }
  }

  const schema = { querystring: versionsQuery, response: { 200: z.array(storedVersion) } }
  app.get('/', { config, schema }, async (request) => {
    const { area, entry: entryId } = request.query
    if (!findVersioned(app, { area, entryId })) throw new NotFound('This entry has no versions.')
    checkRight(app, rightsOf(request), { area, entryId })
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.area, area), eq(auditLog.entryId, entryId), inArray(auditLog.action, [...versionActions])))
      .orderBy(desc(auditLog.id))
      .limit(shown)
    // One whose values were erased with somebody they named cannot be read again.
    const read = (await decryptEntries(db, rows)).filter(({ isErased }) => !isErased)
    const versions = read.map(({ id, at, userName, action }) => ({
      ...{ id_entry: id, at: at.toISOString(), name: userName, action },
      state: 'after' as EventState,
    }))
    const [first, oldest] = [versions.at(-1), read.at(-1)]
    // Settings, long texts, samples and imports were not created by a save.
    if (first && oldest?.before && rows.length < shown) versions.push({ ...first, name: '', state: 'before' })
    return versions
  })

  const compared = { params, querystring: versionQuery, response: { 200: comparedVersion } }
  app.get('/:id', { config, schema: compared }, async (request) => {
    const { row, versioned } = await findEvent(request)
    const { current, former, version } = await versioned.compare(row, request.query.state)
    return { area: row.area, entry_id: row.entryId ?? '', current: fieldsOf(current), former: fieldsOf(former), version }
  })

  const isGuarded = async (request: FastifyRequest) => {
    const { row } = await findEvent(request)
    return row.entryId === settingsId && app.storedSettings.some((one) => one.area === row.area && one.isGuarded)
  }
  app.post(
    '/:id/reuse',
    {
      config: { ...config, recentSignIn: { when: isGuarded } },
      schema: { params, body: reuseInput, response: { 200: reused } },
    },
    async (request) => {
      const { row, versioned } = await findEvent(request)
      const { state, version } = request.body
      const current = await versioned.reuse(request.author, row, state, version)
      const [event] = await db
        .select({ id: auditLog.id })
        .from(auditLog)
        .where(and(eq(auditLog.area, row.area), eq(auditLog.entryId, row.entryId ?? '')))
        .orderBy(desc(auditLog.id))
        .limit(1)
      return { id_entry: event?.id ?? row.id, version: current.version, current: fieldsOf(current) }
    },
  )
}
