import { inArray, sql } from 'drizzle-orm'
import type { PageAddress } from '#src/features/content/server/feature.ts'
import { announcedPages } from './announced-table.ts'
import { logger } from '#src/server/log.ts'
import type { App } from '#src/server/types.ts'
import { listShown, pathIn } from './shown-pages.ts'

type FindPages = (app: App) => Promise<readonly PageAddress[]>

/** The most addresses of one request, by the protocol (https://www.indexnow.org/documentation). */
const mostAddresses = 10_000
const timeoutMs = 10_000

/** Where `INDEXNOW_KEY` is set: the file that proves the key, and a task that notifies search engines of changed pages. */
export function announceByIndexNow(app: App, findPages: FindPages) {
  const { indexNow } = app.config
  if (!indexNow) return
  app.get(`/${indexNow.key}.txt`, { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) => {
    void reply.type('text/plain; charset=utf-8')
    return indexNow.key
  })
  app.queue.schedule('indexnow', '*/5 * * * *', () => announceChanges(app, findPages))
}

/** Sends the addresses of pages that are new, changed or gone since the last time; again the next time where they are rejected. */
export async function announceChanges(app: App, findPages: FindPages) {
  const { indexNow, publicUrl } = app.config
  if (!indexNow || !publicUrl) return
  const [pages, rows] = await Promise.all([findPages(app), app.db.select().from(announcedPages)])
  const shown = new Map(
    listShown(pages).map(({ language, paths, changedAt = '' }) => [pathIn(language, paths), changedAt] as const),
  )
  const known = new Map(rows.map(({ path, changedAt }) => [path, changedAt]))
  const changed = [...shown.keys()].filter((path) => known.get(path) !== shown.get(path))
  const gone = [...known.keys()].filter((path) => !shown.has(path))
  const sent = [...changed, ...gone].slice(0, mostAddresses)
  if (sent.length === 0) return
  const refusal = await send({
    url: indexNow.url,
    body: {
      host: new URL(publicUrl).host,
      key: indexNow.key,
      keyLocation: `${publicUrl}/${indexNow.key}.txt`,
      urlList: sent.map((path) => publicUrl + path),
    },
  })
  if (refusal !== null) {
    logger.warn(
      { reason: refusal, pages: sent.length },
      'search engines were not notified of changed pages: the next run tries again',
    )
    return
  }
  await app.db.transaction(async (tx) => {
    const stored = sent.flatMap((path) => {
      const changedAt = shown.get(path)
      return changedAt === undefined ? [] : { path, changedAt }
    })
    if (stored.length > 0) {
      await tx
        .insert(announcedPages)
        .values(stored)
        .onConflictDoUpdate({ target: announcedPages.path, set: { changedAt: sql`excluded.changed_at` } })
    }
    const removed = sent.filter((path) => !shown.has(path))
    if (removed.length > 0) await tx.delete(announcedPages).where(inArray(announcedPages.path, removed))
  })
  logger.info({ pages: sent.length }, 'search engines were notified of changed pages')
}

/** Why the addresses were rejected; null where they were accepted. */
async function send({ url, body }: { url: string; body: object }) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    // 202: accepted; the key is checked later.
    return response.status === 200 || response.status === 202 ? null : `status ${response.status}`
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? `${message}: ${cause.message}` : message
  }
}
