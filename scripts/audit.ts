// `npm run lighthouse`: Lighthouse and axe on every public page in both languages, against docs/quality.md#in-the-browser.
import { createServer } from 'node:net'
import type { Browser } from '@playwright/test'
import { chromium } from '@playwright/test'
import AxeBuilder from '@axe-core/playwright'
import { chromiumPath } from '../e2e/chromium.ts'
import { startProduct } from '../e2e/product.ts'
import type { Figures } from './audit-lighthouse.ts'
import { medianOf, measure } from './audit-lighthouse.ts'

type Row = { path: string; figures: Figures; violations: string[] }

/** docs/quality.md#in-the-browser */
const limits = { performance: 98, others: 100, cls: 0, tbt: 50, script: 115_000, style: 12_000, font: 60_000 }

const columns: [name: string, cell: (row: Row) => string][] = [
  ['page', (row) => row.path],
  ['perf', ({ figures }) => String(figures.scores.performance)],
  ['a11y', ({ figures }) => String(figures.scores.accessibility)],
  ['best', ({ figures }) => String(figures.scores.bestPractices)],
  ['SEO', ({ figures }) => String(figures.scores.seo)],
  ['LCP s', ({ figures }) => (figures.lcp / 1_000).toFixed(2)],
  ['TBT ms', ({ figures }) => figures.tbt.toFixed(0)],
  ['CLS', ({ figures }) => figures.cls.toFixed(3)],
  ['axe', ({ violations }) => String(violations.length)],
  ['JS KB', ({ figures }) => inKilobytes(figures.script)],
  ['CSS KB', ({ figures }) => inKilobytes(figures.style)],
  ['fonts KB', ({ figures }) => inKilobytes(figures.font)],
]

function tableOf(rows: Row[]) {
  const cells = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const lines = cells.map((line) => `| ${line.map((cell, column) => pad(cell, column, widths)).join(' | ')} |`)
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

/** Prints each page as soon as it is checked. */
function lineOf(row: Row) {
  return columns.map(([name, cell], index) => (index === 0 ? cell(row) : `${name} ${cell(row)}`)).join('  ')
}

/** Descriptions of the failed limits; empty for a good page. */
function faultsOf({ figures, violations }: Row) {
  const { performance, accessibility, bestPractices, seo } = figures.scores
  return [
    performance < limits.performance && `performance ${performance}`,
    Math.min(accessibility, bestPractices, seo) < limits.others && `Lighthouse: ${figures.failed.join(', ')}`,
    figures.cls > limits.cls && `CLS ${figures.cls}`,
    figures.tbt > limits.tbt && `TBT ${figures.tbt.toFixed(0)} ms`,
    figures.script > limits.script && `${figures.script} bytes of script`,
    figures.style > limits.style && `${figures.style} bytes of style`,
    figures.font > limits.font && `${figures.font} bytes of fonts`,
    violations.length > 0 && `axe: ${violations.join(', ')}`,
  ].filter((fault) => fault !== false)
}

function pad(cell: string, column: number, widths: number[]) {
  const width = widths[column] ?? 0
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

function inKilobytes(bytes: number) {
  return (bytes / 1_000).toFixed(1)
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Findings of axe on a page, at phone and desktop width, in both palettes. */
async function findAxeViolations(browser: Browser, address: string) {
  const found = new Set<string>()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport)
      await page.goto(address, { waitUntil: 'load' })
      const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
      for (const { id } of violations) found.add(`${id} (${colorScheme}, ${viewport.width} px)`)
    }
    await context.close()
  }
  return [...found]
}

/** Only addresses that contain one of the arguments, if any: `npm run lighthouse -- /contact`. */
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
  // A failed page is measured four more times and the median counts: a busy machine distorts a single run.
  if (isFaulty(runs)) for (let run = 1; run < 5; run++) runs.push(await measure(address, port))
  const row = { path: pathname + search, figures: medianOf(runs), violations: await findAxeViolations(shared, address) }
  process.stdout.write(`${lineOf(row)}\n`)
  return row
}

function isFaulty(runs: Figures[]) {
  return faultsOf({ path: '', figures: medianOf(runs), violations: [] }).length > 0
}

/** Addresses of the sitemap, with one employee and one posting for all; French first, before a page stores another language. */
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
