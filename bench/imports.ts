import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImportResult } from '#src/features/imports/contract.ts'
import { pause } from '../chaos/clients.ts'
import type { Product } from '../e2e/product.ts'
import { startProduct } from '../e2e/product.ts'
import { memoryOf } from './child.ts'
import { printTable } from './table.ts'

const secret = 'b'.repeat(64)
/** As scripts/start.mjs starts it: what memory it takes depends on it. */
const started = {
  SESSION_SECRET: secret,
  DEMO: '1',
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
}
const restMs = 10_000
const pages = ['/', '/reseau', '/aide', '/contact']
const words =
  'le technicien a remplacé la borne du deuxième étage, vérifié la fibre, puis rappelé la personne le lendemain'.split(' ')
const text = (length: number, seed: number) => {
  const parts: string[] = []
  for (let at = seed; parts.length * 7 < length; at += 7) parts.push(words[at % words.length] ?? '')
  return parts.join(' ')
}

/** Large files of other systems, as their formats are documented: `write` gives their parts, one after the other. */
const sources = [
  { kind: 'wordpress', name: 'WXR of 5,000 posts', file: 'site.xml', entries: 5_000, write: writeSite },
  { kind: 'mail', name: 'mbox of 20,000 mails, 1 GB', file: 'archives.mbox', entries: 20_000, write: writeMailbox },
  { kind: 'redirects', name: 'CSV of 1,000,000 rows', file: 'addresses.csv', entries: 1_000_000, write: writeAddresses },
]

/**
 * Imports of large files into the running product, with the embedded database: how long they take, the memory above that of rest,
 * and what a visitor waits for meanwhile. `IMPORTS` names the kinds.
 */
export async function benchImports() {
  const wanted = (process.env.IMPORTS ?? sources.map(({ kind }) => kind).join(',')).split(',')
  const rows = []
  for (const source of sources.filter(({ kind }) => wanted.includes(kind))) {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-bench-'))
    const product = await startProduct(started)
    try {
      const path = join(folder, source.file)
      await pipeline(Readable.from(source.write(source.entries)), createWriteStream(path))
      rows.push(await measure(product, source.name, source.kind, path))
      printTable('Imports into the running product, embedded database', rows)
    } finally {
      await product.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function measure(product: Product, name: string, kind: string, path: string) {
  const atRest = await visit(product, pause(restMs))
  const startedAt = performance.now()
  const importing = runImport(product, kind, path)
  const meanwhile = await visit(product, importing)
  const seconds = (performance.now() - startedAt) / 1_000
  const { created, updated, known, left_out, refused_total } = await importing
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, one) => total + one, 0)
  const entries = sum(created) + sum(updated) + known + sum(left_out) + refused_total
  return {
    source: name,
    entries,
    created: sum(created),
    refused: refused_total,
    seconds,
    'entries a second': entries / seconds,
    'MB at rest': atRest.megabytes,
    'MB more': meanwhile.megabytes - atRest.megabytes,
    'page p50 at rest (ms)': atRest.p50,
    'page p50, times': meanwhile.p50 / atRest.p50,
    'page p95, times': meanwhile.p95 / atRest.p95,
    'page most (ms)': meanwhile.most,
  }
}

/** A visitor who opens one page after the other, until `end`, and the most memory meanwhile. */
async function visit(product: Product, end: Promise<unknown>) {
  const times: number[] = []
  let megabytes = 0
  const ended = new AbortController()
  const over = end.finally(() => ended.abort())
  over.catch(() => undefined)
  for (let at = 0; !ended.signal.aborted; at += 1) {
    const startedAt = performance.now()
    const response = await fetch(`${product.address()}${pages[at % pages.length]}`, { headers: { cookie: `visit=${at}` } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`)
    times.push(performance.now() - startedAt)
    megabytes = Math.max(megabytes, memoryOf(product.pid()) / 2 ** 20)
    await pause(20)
  }
  await over
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  return { megabytes, p50: at(0.5), p95: at(0.95), most: at(1) }
}

function runImport(product: Product, kind: string, path: string) {
  const { port, hostname } = new URL(product.address())
  const environment = { PORT: port, HOST: hostname, DATA_DIR: product.dataDir, SESSION_SECRET: secret }
  return new Promise<ImportResult>((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/guichet.mjs', 'import', kind, path, '--json', '--yes'], {
      env: { ...process.env, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let progress = ''
    child.stdout.on('data', (part: Buffer) => (output += part.toString()))
    child.stderr.on('data', (part: Buffer) => {
      progress = part.toString()
      process.stderr.write(`${kind}: ${progress}`)
    })
    child.once('exit', (code) => {
      if (output === '') reject(new Error(`the import of ${path} ended with ${code}: ${progress}`))
      else resolve(JSON.parse(output) as ImportResult)
    })
  })
}

/** Every second post is the translation of the one before, by the terms of Polylang. */
function* writeSite(count: number) {
  yield '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><language>fr-CA</language><wp:wxr_version>1.2</wp:wxr_version>'
  for (let id = 1; id <= count; id += 1) {
    const isFrench = id % 2 === 1
    const group = Math.ceil(id / 2)
    const paragraphs = Array.from(
      { length: 8 },
      (_, at) => `<!-- wp:paragraph --><p>${text(350, id + at)}</p><!-- /wp:paragraph -->`,
    )
    yield `<item><title>${isFrench ? 'Entretien' : 'Maintenance'} ${group}</title><link>https://ancien.example.com/${id}/</link>
<content:encoded><![CDATA[${paragraphs.join('\n')}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>
<category domain="language" nicename="${isFrench ? 'fr' : 'en'}"><![CDATA[x]]></category><category domain="post_translations" nicename="pair${group}"><![CDATA[x]]></category></item>\n`
  }
  yield '</channel></rss>'
}

/** Threads of five: a customer and the staff in turn, every second mail with a picture. */
function* writeMailbox(count: number) {
  const picture = Buffer.alloc(60_000, 'a picture of a router').toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  for (let id = 0; id < count; id += 1) {
    const [thread, place] = [Math.floor(id / 5), id % 5]
    const customer = `client${thread % 900}@example.com`
    const [from, to] = place % 2 === 0 ? [customer, 'soutien@example.com'] : ['soutien@example.com', customer]
    const at = new Date(Date.UTC(2024, 0, 1) + id * 3_000_000).toUTCString()
    const earlier = Array.from({ length: place }, (_, before) => `<${thread}.${before}@example.com>`).join(' ')
    const references = place > 0 ? `In-Reply-To: <${thread}.${place - 1}@example.com>\r\nReferences: ${earlier}\r\n` : ''
    yield `From ${from} ${at}\r\nFrom: ${from}\r\nTo: ${to}\r\nDate: ${at}\r\nMessage-ID: <${thread}.${place}@example.com>\r\n${references}Subject: ${place > 0 ? 'RE: ' : ''}Panne ${thread}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text(9_000, id)}\r\n`
    if (id % 2 === 0)
      yield `--b\r\nContent-Type: image/jpeg\r\nContent-Disposition: attachment; filename=photo.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n${picture}\r\n`
    yield '--b--\r\n\r\n'
  }
}

function* writeAddresses(count: number) {
  yield 'from,to,status\n'
  for (let id = 0; id < count; id += 1) yield `/ancienne-page-${id},/aide,301\n`
}
