// `npm run audit`: Lighthouse and axe on every public page in both languages, against docs/quality.md#in-the-browser.
import { createServer } from 'node:net'
import type { Browser } from '@playwright/test'
import { chromiumPath } from '../e2e/chromium.ts'
import { chromium } from '@playwright/test'
import { startProduct } from '../e2e/product.ts'
import { findAxeViolations } from './audit-axe.ts'
import type { Figures } from './audit-lighthouse.ts'
import { medianOf, measure } from './audit-lighthouse.ts'
import { faultsOf, lineOf, tableOf } from './audit-table.ts'
import type { Row } from './audit-table.ts'

/** Only addresses that contain one of these words, where some are given: `npm run audit -- /contact`. */
const words = process.argv.slice(2)

const product = await startProduct({ DEMO: '1' })
const port = await findFreePort()
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: [
    `--remote-debugging-port=${port}`,
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
})
const rows: Row[] = []
try {
  for (const address of await findAddresses(product.address())) rows.push(await judge(browser, address))
} finally {
  await browser.close()
  await product.stop()
}

process.stdout.write(`\n${tableOf(rows)}\n`)
const faults = rows.flatMap((row) => faultsOf(row).map((fault) => `${row.path}: ${fault}`))
if (faults.length > 0) process.stderr.write(`\nBelow the targets of docs/quality.md:\n${faults.join('\n')}\n`)
process.stdout.write(`\n${rows.length} pages, ${faults.length} faults\n`)
process.exit(faults.length > 0 || rows.length === 0 ? 1 : 0)

async function judge(shared: Browser, address: string): Promise<Row> {
  const { pathname, search } = new URL(address)
  const runs = [await measure(address, port)]
  // A page with faults is measured four times more and the median counts: a busy machine spoils a single run.
  if (isFaulty(runs)) for (let run = 1; run < 5; run++) runs.push(await measure(address, port))
  const row = { path: pathname + search, figures: medianOf(runs), violations: await findAxeViolations(shared, address) }
  process.stdout.write(`${lineOf(row)}\n`)
  return row
}

function isFaulty(runs: Figures[]) {
  return faultsOf({ path: '', figures: medianOf(runs), violations: [] }).length > 0
}

/** The addresses of the sitemap, with one person and one posting standing for all; French first, before any page keeps another language. */
async function findAddresses(origin: string) {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text()
  const all = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))
  const kinds = new Map(all.map((address) => [address.replace(/\d+(?=$|\?)/, ':id'), address]))
  const wanted = [...kinds.values()].filter((address) => words.length === 0 || words.some((word) => address.includes(word)))
  return wanted.toSorted((one, other) => Number(one.includes('lang=')) - Number(other.includes('lang=')))
}

async function findFreePort() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('no free port')
  return address.port
}
