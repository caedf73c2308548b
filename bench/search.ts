import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { sampleRows } from '#src/features/articles/server/service.ts'
import { articles } from '#src/features/articles/server/table.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { openDatabase } from '#src/server/database/database.ts'
import type { Database } from '#src/server/database/database.ts'
import { migrateDatabase } from '#src/server/database/migrate.ts'
import { startEmbeddedPostgres } from '#src/server/testing/embedded-postgres.ts'
import { addressOf, trusting } from '../chaos/clients.ts'
import { startProduct } from '../e2e/product.ts'
import { printTable } from './table.ts'

const articleCount = 2_000
const addedWords = 150
const perSecond = 20
const searches = 400
const mostMs = 50
const questions = [
  'téléphone muet',
  'mon ordinateur est lent depuis ce matin',
  'mot de passe oublié',
  'j’ai cliqué sur un lien bizarre dans un courriel',
  'imprimente hors ligne',
  'télé',
  'forward my calls to a cell phone',
  'what is backed up and for how long',
  'xylophonique',
  'wifi des visiteurs',
]

/** 2,000 articles on both databases: the search over HTTP beside a plain `ILIKE` on the same rows, at 20 a second. */
export async function benchSearch() {
  const databaseDir = mkdtempSync(join(tmpdir(), 'guichet-search-'))
  const { server, origin } = await startEmbeddedPostgres({ databaseDir, persistent: false, database: 'search' })
  try {
    await measure('PostgreSQL', mkdtempSync(join(tmpdir(), 'guichet-search-')), `${origin}/search`)
  } finally {
    await server.stop()
    rmSync(databaseDir, { recursive: true, force: true })
  }
  await measure('The embedded database', mkdtempSync(join(tmpdir(), 'guichet-search-')))
}

async function measure(name: string, dataDir: string, databaseUrl?: string) {
  const { db, close } = await openDatabase({ dataDir, databaseUrl })
  await migrateDatabase(db)
  await fill(db)
  const plain = await take((question) => findPlainly(db, question))
  await close()
  const product = await startProduct(
    { ...trusting, DEMO: '0', SESSION_SECRET: 'b'.repeat(64), ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) },
    dataDir,
  )
  const find = async (question: string, number: number) => {
    const headers = { 'x-forwarded-for': addressOf(number) }
    const query = String(new URLSearchParams({ q: question }))
    const response = await fetch(`${product.address()}/public_api/search?${query}`, { headers })
    if (response.status !== 200) throw new Error(`a search answered ${response.status}`)
    await response.json()
  }
  const startedAt = performance.now()
  await find('téléphone', 0)
  const first = performance.now() - startedAt
  const own = await take(find)
  await product.stop()
  printTable(`${name}, ${articleCount} articles, ${perSecond} searches a second, in milliseconds`, [
    { search: 'Guichet, over HTTP', ...own, first, verdict: own.p95 <= mostMs ? 'within 50 ms' : 'OVER 50 ms' },
    { search: 'a plain ILIKE, in the process', ...plain, first: '', verdict: '' },
  ])
}

/** The sample articles again and again, each with other words of theirs in it. */
async function fill(db: Database) {
  const rows = await sampleRows()
  const words = rows.flatMap((row) => textOfHtml(row.body).split(/\s+/)).filter((word) => word.length > 3)
  const made = Array.from({ length: articleCount }, (_, number) => {
    const row = rows[number % rows.length]
    if (!row) throw new Error('there are no sample articles')
    const added = Array.from({ length: addedWords }, (_word, at) => words[(number * 7919 + at * 104_729) % words.length])
    return {
      ...row,
      slug: `${row.slug}-${number}`,
      slugEn: `${row.slugEn}-${number}`,
      body: `${row.body}<p>${added.join(' ')}</p>`,
    }
  })
  for (let start = 0; start < made.length; start += 100) await db.insert(articles).values(made.slice(start, start + 100))
}

async function findPlainly(db: Database, question: string) {
  const pattern = `%${question}%`
  await db.execute(sql`select id, title, title_en from articles where is_public and is_published and (title ilike ${pattern}
    or title_en ilike ${pattern} or body ilike ${pattern} or body_en ilike ${pattern} or keywords ilike ${pattern}) limit 8`)
}

/** Starts one search every 50 ms, whether the one before has answered or not. */
async function take(find: (question: string, number: number) => Promise<void>) {
  const times: Promise<number>[] = []
  const timed = async (number: number) => {
    const startedAt = performance.now()
    await find(questions[number % questions.length] ?? '', number)
    return performance.now() - startedAt
  }
  for (let number = 0; number < searches; number += 1) {
    times.push(timed(number))
    await pause(1_000 / perSecond)
  }
  const sorted = (await Promise.all(times)).toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), most: sorted.at(-1) ?? Number.NaN }
}
