import { asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { App } from '#src/server/types.ts'
import { NotFound } from '#src/server/problems.ts'
import type { MissingAddress } from '../contract.ts'
import { addressMax, decodePath, wordpressIds } from '../values.ts'
import { isReserved } from './known-addresses.ts'
import { missingAddresses } from './table.ts'

/** Counts are stored together after this time. */
const settled = 2_000
const mostPending = 1_000
/** Above it the addresses that were asked least give way: a flood of made-up ones never fills the table. */
const mostMissing = 5_000
const mostShown = 500

/** Programs that search for weaknesses of products that this site does not run. */
const scanned =
  /(?:^|\/)(?:wp-login\.php|xmlrpc\.php|wp-config|wp-admin|wp-includes|wlwmanifest\.xml|phpmyadmin|pma|adminer|phpinfo|cgi-bin|vendor|actuator|boaform|hnap1|solr|telescope|owa|autodiscover|server-status|_ignition|shell|eval-stdin\.php|alfa\.php|config\.json|credentials)(?:$|[/.?])|\/\.|\.(?:env|git|sql|bak|cgi|jsp|ini|swp|old|yml|yaml|log|conf|tar|gz|rar|7z)$/i
/** What may name a person or open something: an address of mail, a long number, a key. */
const personal = /@|\d{7}|(?:^|\/)(?=[^/]*\d)[\da-z_=]{24,}(?=\/|$)|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i

/** The address as it is counted: its path, and of its query WordPress's ids alone. Null where it is not counted. */
export function missingPathOf(url: string, secretPaths: readonly string[]): string | null {
  const [rawPath = '', query = ''] = url.split('?', 2)
  const path = decodePath(rawPath.replace(/^\/+/, '/'))
  if (path === null || !path.startsWith('/') || path.length > addressMax / 2 || isReserved(path)) return null
  if (secretPaths.some((one) => path.toLowerCase().startsWith(one)) || personal.test(path)) return null
  // Files of an earlier build and of the router: the browser asks for them, nobody follows a link there.
  if (path.startsWith('/assets/') || path.endsWith('.data')) return null
  const ids = [...new URLSearchParams(query)].filter(
    ([name, value]) => (wordpressIds as readonly string[]).includes(name) && /^\d{1,10}$/.test(value),
  )
  if (path === '/' && ids.length === 0) return null
  return `${path}${ids.length > 0 ? `?${String(new URLSearchParams(ids))}` : ''}`
}

export const isScanner = (path: string) => scanned.test(path)

type Counted = { count: number; at: string }

/** Counts visits of redirects and addresses asked in vain, in memory first, so that no request waits for the database. */
export function createTally(app: App) {
  const { db } = app
  const secretPaths = app.features.flatMap((feature) => feature.secretPaths ?? [])
  const hits = new Map<number, Counted>()
  const misses = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  function add<Key>(counts: Map<Key, Counted>, key: Key, more: Counted = { count: 1, at: new Date().toISOString() }) {
    const before = counts.get(key)
    if (!before && counts.size >= mostPending) return
    counts.set(key, { count: (before?.count ?? 0) + more.count, at: before && before.at > more.at ? before.at : more.at })
    timer ??= setTimeout(() => void flushSafely(), settled).unref()
  }

  /** Stores and empties counts; where that fails they wait for the next time. */
  async function storeCounts<Key>(counts: Map<Key, Counted>, write: (json: string) => Promise<unknown>) {
    const taken = [...counts]
    counts.clear()
    if (taken.length === 0) return
    try {
      await write(JSON.stringify(taken.map(([key, counted]) => ({ key, ...counted, is_scanner: isScanner(String(key)) }))))
    } catch (error) {
      for (const [key, counted] of taken) add(counts, key, counted)
      throw error
    }
  }

  async function store() {
    clearTimeout(timer)
    timer = undefined
    await storeCounts(hits, (json) =>
      db.execute(sql`update redirects set hits = redirects.hits + counted.count, last_hit = greatest(redirects.last_hit, counted.at)
        from jsonb_to_recordset(${json}::jsonb) as counted (key integer, count integer, at timestamptz) where redirects.id = counted.key`),
    )
    if (misses.size === 0) return
    await storeCounts(misses, (json) =>
      db.execute(sql`insert into missing_addresses (path, count, last, is_scanner)
        select key, count, at, is_scanner from jsonb_to_recordset(${json}::jsonb)
          as counted (key text, count integer, at timestamptz, is_scanner boolean) order by key
        on conflict (path) do update set count = missing_addresses.count + excluded.count, last = greatest(missing_addresses.last, excluded.last)`),
    )
    const surplus = (await db.$count(missingAddresses)) - mostMissing
    if (surplus <= 0) return
    const least = db
      .select({ path: missingAddresses.path })
      .from(missingAddresses)
      .orderBy(asc(missingAddresses.count), asc(missingAddresses.last))
      .limit(surplus)
    await db.delete(missingAddresses).where(inArray(missingAddresses.path, least))
  }

  function flush() {
    flushing = flushing.catch(() => undefined).then(store)
    return flushing
  }
  async function flushSafely() {
    await flush().catch((error: unknown) => app.log.warn({ err: error }, 'visits of old addresses were not counted'))
  }

  return {
    hit: (id: number) => add(hits, id),
    miss(url: string) {
      const path = missingPathOf(url, secretPaths)
      if (path !== null) add(misses, path)
    },
    flush,
    flushSafely,
    /** Most asked first, those of scanners last. */
    async findMissing(): Promise<MissingAddress[]> {
      await flush()
      const rows = await db
        .select()
        .from(missingAddresses)
        .where(eq(missingAddresses.isIgnored, false))
        .orderBy(
          asc(missingAddresses.isScanner),
          desc(missingAddresses.count),
          desc(missingAddresses.last),
          asc(missingAddresses.path),
        )
        .limit(mostShown)
      return rows.map(({ path, count, last, isScanner: scanner }) => ({ path, count, last: last.toISOString(), scanner }))
    },
    async ignore(path: string, isIgnored: boolean) {
      const changed = await db
        .update(missingAddresses)
        .set({ isIgnored })
        .where(eq(missingAddresses.path, path))
        .returning({ path: missingAddresses.path })
      if (changed.length === 0) throw new NotFound('Nobody asked for this address.')
    },
    /** Removes addresses that nobody asked for since `before`; returns their number. */
    async purge(before: Date, limit: number) {
      const old = db
        .select({ path: missingAddresses.path })
        .from(missingAddresses)
        .where(lt(missingAddresses.last, before))
        .limit(limit)
      return (
        await db.delete(missingAddresses).where(inArray(missingAddresses.path, old)).returning({ path: missingAddresses.path })
      ).length
    },
  }
}
