import { startProduct } from '../e2e/product.ts'
import { pause } from './clients.ts'
import { startPostgres } from './postgres.ts'
import type { Row } from './row.ts'

const stopped = 60_000
const pages = ['/', '/?lang=en', '/about', '/team', '/emploi', '/reseau', '/support', '/appel-de-service', '/contact', '/cloud']

export const databaseStopped: Row = {
  name: 'database',
  fault: 'PostgreSQL stopped for 60 s',
  async run() {
    const postgres = await startPostgres()
    const product = await startProduct({ DATABASE_URL: postgres.url, DEMO: '1' })
    const origin = product.address()
    const status = async (path: string) => (await fetch(origin + path)).status
    for (const page of pages) await status(page)

    const startedAt = performance.now()
    await postgres.stop()
    const stoppedAt = performance.now()
    while ((await status('/readyz')) !== 503 && performance.now() - stoppedAt < 10_000) await pause(50)
    const noticed = performance.now() - stoppedAt
    let responded = 0
    const refused = new Set<string>()
    // Not cached, so the response must be a 503 with Retry-After.
    const unread = await status('/emploi/voir/1')
    while (performance.now() - startedAt < stopped) {
      for (const page of pages) {
        const code = await status(page)
        if (code === 200) responded += 1
        else refused.add(`${page} ${code}`)
      }
      await pause(500)
    }
    await postgres.start()
    const restartedAt = performance.now()
    while ((await status('/readyz')) !== 200 && performance.now() - restartedAt < 30_000) await pause(50)
    const back = performance.now() - restartedAt
    await product.stop()
    await postgres.remove()
    return {
      good: refused.size === 0 && unread === 503 && noticed <= 2_000 && back <= 5_000,
      figures: {
        'pages answered while stopped': responded,
        'pages refused': refused.size === 0 ? 0 : [...refused].join(', '),
        'a page nobody read': unread,
        'not ready after (ms)': Math.round(noticed),
        'ready again after (ms)': Math.round(back),
      },
    }
  },
}
