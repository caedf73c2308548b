import { asc, eq, sql } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'
import { filterRows } from '#src/lib/lists.ts'
import type { Rights } from '#src/lib/rights.ts'
import type { Author } from '#src/server/audit-log/audit-log.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import type { Database } from '#src/server/database/database.ts'
import { isUniqueViolation } from '#src/server/database/database.ts'
import type { AnswerMissing } from '#src/server/pages/pages.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { Redirect, RedirectCounts, RedirectInput, Tried } from '../contract.ts'
import type { Pattern, RedirectState } from '../values.ts'
import { keyOf, parseFrom, redirectsPerPage, withoutEndSlash } from '../values.ts'
import { createKnownAddresses, isReserved } from './known-addresses.ts'
import type { RedirectTable, Rule } from './matching.ts'
import { createTable, splitAddress, withoutLanguage } from './matching.ts'
import { createTally } from './tally.ts'
import { redirects } from './table.ts'

type Row = typeof redirects.$inferSelect
type Filter = { q: string; state: 'all' | 'broken' | 'waiting' | 'unused'; page: number }

const outdated = 'redirects'
/** Imports and commands announce no change: the table is read again after this time. */
const freshFor = 5_000
export const mostRedirects = 50_000

const rank: Record<RedirectState, number> = { broken: 0, waiting: 2, ok: 1 }

type Service = ReturnType<typeof createService>
/** By database: each plugin of the server gets an object of its own for the application. */
const services = new WeakMap<Database, Service>()

/** The redirects of this application. */
export function redirectsOf(app: App) {
  const service = services.get(app.db) ?? createService(app)
  services.set(app.db, service)
  return service
}

/** The redirects of a database that the product runs on; undefined beside it. */
export const findService = (db: Database) => services.get(db)

function createService(app: App) {
  const { db } = app
  const known = createKnownAddresses(app)
  const tally = createTally(app)
  let table: { at: number; read: Promise<RedirectTable> } | null = null
  app.events.onOutdated(outdated, () => {
    table = null
  })

  function readTable() {
    if (table && performance.now() - table.at < freshFor) return table.read
    const read = db
      .select()
      .from(redirects)
      .then((rows) => createTable(rows.flatMap(ruleOf)))
    const current = { at: performance.now(), read }
    table = current
    read.catch(() => {
      if (table === current) table = null
    })
    return read
  }

  /** Where a redirect leads in the end, from its own target on. */
  async function stateOf(rules: RedirectTable, { to, status }: Pick<Row, 'to' | 'status'>): Promise<RedirectState> {
    if (status === 410 || to === null || !to.startsWith('/')) return 'ok'
    const first = splitAddress(to.replace(/\*$/, ''))
    if (!first) return 'broken'
    const path = withoutEndSlash(first.path)
    const state = await known.stateOf(path)
    // What follows the beginning may be any page.
    if (state !== 'broken' || to.endsWith('*')) return state === 'broken' ? 'ok' : state
    const route = await rules.follow(first, known.isAnswered)
    if (!route) return 'broken'
    const last = route.location?.startsWith('/') ? splitAddress(route.location) : null
    return last ? known.stateOf(withoutEndSlash(last.path)) : 'ok'
  }

  async function entityOf(rules: RedirectTable, row: Row): Promise<Redirect> {
    const { id, from, to, status, hits, lastHit, version } = row
    const state = await stateOf(rules, row)
    return { id_redirect: id, from, to, status, hits, last_hit: lastHit?.toISOString() ?? null, state, version }
  }

  async function findAll() {
    await tally.flush()
    const rows = await db.select().from(redirects).orderBy(asc(redirects.id))
    const rules = createTable(rows.flatMap(ruleOf))
    return Promise.all(rows.map((row) => entityOf(rules, row)))
  }

  /** The pattern of an old address that may be redirected; throws for one of the product. */
  async function checkFrom(from: string) {
    const pattern = parseFrom(from)
    if (!pattern) throw new Invalid('This is not a path of this site.')
    if (await known.isTaken(pattern)) throw new Conflict('The product answers at this address.', { reason: 'taken' })
    return pattern
  }

  /**
   * In the transaction of a change: refuses a redirect that leads to itself, and returns its target at the end of the chain.
   */
  async function shorten(tx: Database, id: number, pattern: Pattern, input: Pick<RedirectInput, 'from' | 'to' | 'status'>) {
    const others = (await tx.select().from(redirects)).filter((row) => row.id !== id)
    if (others.length >= mostRedirects) throw new Conflict(`There are ${mostRedirects} redirects already.`, { reason: 'full' })
    const own: Rule = { id: 0, from: input.from, pattern, to: input.to, status: input.status }
    const rules = createTable([...others.flatMap(ruleOf), own])
    const query = String(new URLSearchParams(pattern.query.map(([name, value]) => [name, value])))
    const route = await rules.follow({ path: `${pattern.path}${pattern.isPrefix ? 'x' : ''}`, query }, known.isAnswered)
    if (!route) throw new Conflict('This redirect would lead to itself.', { reason: 'loop' })
    const second = route.steps[1]?.rule
    const isPlain = second?.status === 301 && second.pattern.query.length === 0 && !second.pattern.isPrefix
    // The language of a path would be lost.
    const isBare = input.to !== null && !input.to.includes('?') && withoutLanguage(input.to) === input.to
    return isPlain && input.status === 301 && isBare ? second.to : input.to
  }

  /** One change at a time, so that two of them never make a loop together. */
  async function change<Result>(work: (tx: Database) => Promise<Result>): Promise<Result> {
    const result = await db
      .transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('redirects'))`)
        return work(tx)
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new Conflict('This address is redirected already.', { reason: 'known' }) : error
      })
    app.events.outdated(outdated)
    return result
  }

  const rowOf = async (tx: Database, id: number, pattern: Pattern, input: RedirectInput) => ({
    key: keyOf(pattern),
    from: input.from,
    to: input.status === 410 ? null : await shorten(tx, id, pattern, input),
    status: input.status,
  })

  return {
    tally,
    isTaken: known.isTaken,
    /** Addresses asked in vain that are not redirected since. */
    async findMissing() {
      const [missing, rules] = await Promise.all([tally.findMissing(), readTable()])
      return missing.filter(({ path }) => {
        const requested = splitAddress(encodeURI(path))
        return !requested || !rules.match(requested)
      })
    },
    findTargets: known.findTargets,
    suggest: known.suggest,
    async list({ q, state, page }: Filter): Promise<{ rows: Redirect[]; total: number; counts: RedirectCounts }> {
      const all = await findAll()
      const isUnused = ({ hits }: Redirect) => hits === 0
      const counts = {
        all: all.length,
        broken: all.filter((one) => one.state === 'broken').length,
        waiting: all.filter((one) => one.state === 'waiting').length,
        unused: all.filter(isUnused).length,
      }
      const wanted = all.filter((one) => state === 'all' || (state === 'unused' ? isUnused(one) : one.state === state))
      const found = filterRows(wanted, q, ({ from, to }) => `${from} ${to ?? ''}`).toSorted(
        (one, other) =>
          Number(rank[other.state] === 0) - Number(rank[one.state] === 0) ||
          other.hits - one.hits ||
          one.id_redirect - other.id_redirect,
      )
      const start = (page - 1) * redirectsPerPage
      return { rows: found.slice(start, start + redirectsPerPage), total: found.length, counts }
    },
    findAll,
    async create(author: Author, input: RedirectInput) {
      const pattern = await checkFrom(input.from)
      const row = await change(async (tx) => {
        const [added] = await tx
          .insert(redirects)
          .values(await rowOf(tx, 0, pattern, input))
          .returning()
        if (!added) throw new Error('no redirect was stored')
        await recordChange(tx, author, {
          area: 'company',
          action: 'create',
          entryId: `redirect/${added.id}`,
          after: factsOf(added),
        })
        return added
      })
      return entityOf(await readTable(), row)
    },
    async update(author: Author, id: number, input: RedirectInput) {
      const pattern = await checkFrom(input.from)
      const row = await change(async (tx) => {
        const [before] = await tx.select().from(redirects).where(eq(redirects.id, id))
        if (!before) throw new NotFound('This entry does not exist.')
        if (input.version !== undefined && input.version !== before.version)
          throw new Conflict('Someone else saved this entry in the meantime.', {
            current: await entityOf(await readTable(), before),
          })
        const [after] = await tx
          .update(redirects)
          .set({ ...(await rowOf(tx, id, pattern, input)), version: before.version + 1, updatedAt: sql`now()` })
          .where(eq(redirects.id, id))
          .returning()
        if (!after) throw new NotFound('This entry does not exist.')
        const values = { before: factsOf(before), after: factsOf(after) }
        await recordChange(tx, author, { area: 'company', action: 'update', entryId: `redirect/${id}`, ...values })
        return after
      })
      return entityOf(await readTable(), row)
    },
    async remove(author: Author, id: number) {
      await change(async (tx) => {
        const [before] = await tx.delete(redirects).where(eq(redirects.id, id)).returning()
        if (!before) throw new NotFound('This entry does not exist.')
        await recordChange(tx, author, { area: 'company', action: 'delete', entryId: `redirect/${id}`, before: factsOf(before) })
      })
    },
    /** What a visitor of an address of this site gets; nothing is counted. */
    async try(address: string, language: Language, rights: Rights): Promise<Tried> {
      const nothing = { status: 404, location: null, title: null, broken: false, steps: [] }
      const requested = splitAddress(address)
      if (!requested) return { ...nothing, result: 'none' }
      const path = withoutEndSlash(requested.path)
      const rules = await readTable()
      const isPage = await known.isAnswered(path)
      const route = await rules.follow(requested, known.isAnswered)
      const isWordpress = route?.steps[0]?.rule.pattern.query.length && path === '/'
      if (isPage && !isWordpress)
        return { ...nothing, result: 'page', status: 200, title: await known.titleOf(path, language, rights) }
      if (!route) return { ...nothing, result: 'none' }
      const steps = route.steps.map(({ rule }) => ({ id_redirect: rule.id, from: rule.from, to: rule.to }))
      if (route.location === null) return { ...nothing, result: 'gone', status: 410, steps }
      const end = route.location.startsWith('/') ? splitAddress(route.location) : null
      const state = end ? await known.stateOf(withoutEndSlash(end.path)) : 'ok'
      const title = end && (await known.titleOf(withoutEndSlash(end.path), language, rights))
      const found = { location: route.location, title, broken: state === 'broken', steps }
      return state === 'waiting'
        ? { ...found, result: 'waiting', status: 404 }
        : { ...found, result: 'redirect', status: route.status }
    },
    answerMissing: {
      async find(request) {
        try {
          const requested = splitAddress(request.url)
          if (!requested || isReserved(requested.path)) return null
          const rules = await readTable()
          if (!rules.match(requested)) return null
          const route = await rules.follow(requested, known.isAnswered)
          if (!route) return null
          const bare = requested.path.replace(/^\/(?:fr|en)(?=\/|$)/i, '')
          // A page that was made since then comes first.
          if (bare !== requested.path && bare !== '' && bare !== '/' && (await known.isAnswered(withoutEndSlash(bare))))
            return null
          const end = route.location?.startsWith('/') ? splitAddress(route.location) : null
          if (end && (await known.stateOf(withoutEndSlash(end.path))) === 'waiting') return null
          for (const { rule } of route.steps) tally.hit(rule.id)
          return route.location === null || route.status === 410
            ? { status: 410, location: null }
            : { status: route.status, location: route.location }
        } catch (error) {
          request.log.warn({ err: error }, 'redirects could not be read')
          return null
        }
      },
      note(request) {
        tally.miss(request.url)
      },
    } satisfies AnswerMissing,
  }
}

export function ruleOf({ id, from, to, status }: Row): Rule[] {
  const pattern = parseFrom(from)
  return pattern ? [{ id, from, pattern, to, status }] : []
}

const factsOf = ({ from, to, status }: Row) => ({ from, to, status })
