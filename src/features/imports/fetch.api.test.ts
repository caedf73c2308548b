import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { articles } from '../articles/server/table.ts'
import { pictures } from '../content/server/pictures-table.ts'
import type { ImportDetail } from './contract.ts'
import type { TestClient } from './testing.ts'
import { item, runImport, sendImport, site } from './testing.ts'

let product: TestApp
let staff: TestClient
let origin: string
const asked: string[] = []
let isRepaired = false
let together = 0
let mostTogether = 0

const draw = (color: string) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: color } })
    .png()
    .toBuffer()

/** The former site, at an address that the setting names. */
const former = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push(path)
  together += 1
  mostTogether = Math.max(mostTogether, together)
  response.on('close', () => (together -= 1))
  const picture = () => draw(`#${path.length.toString(16).padStart(2, '0')}55aa`).then((bytes) => response.end(bytes))
  if (path.includes('/moved')) response.writeHead(302, { location: '/wp-content/uploads/there.png' }).end()
  else if (path.includes('/inside')) response.writeHead(302, { location: 'http://127.0.0.2/secret.png' }).end()
  else if (path.includes('/metadata')) response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  else if (path.includes('/turning')) response.writeHead(302, { location: path }).end()
  else if (path.includes('/missing') && !isRepaired) response.writeHead(404).end()
  else if (path.includes('/page')) response.end('<script>alert(1)</script>')
  else if (path.includes('/huge')) response.end(Buffer.alloc(9_000_000))
  else if (path.includes('/broken')) response.destroy()
  else void picture()
})

beforeAll(async () => {
  await new Promise<void>((resolve) => former.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(former.address() as AddressInfo).port}`
  product = await startTestApp({ queue: true, environment: { IMPORT_ALLOW: '127.0.0.1' } })
  staff = await product.signIn()
})
afterAll(async () => {
  await product.stop()
  former.close()
})

const image = (name: string) => `<img src="${name.includes(':') ? name : `${origin}/wp-content/uploads/${name}`}" alt="">`
const fileOf = (html: string, more = '') => site(item(1, 'Routeur', html, more) + attachment)
const attachment = item(9, 'vitrine', '')
  .replace('>post<', '>attachment<')
  .replace('</item>', '<wp:attachment_url>{origin}/wp-content/uploads/featured.png</wp:attachment_url></item>')
const thumbnail = '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>'
const send = (html: string, fields: Record<string, string> = {}) =>
  sendImport(
    product,
    staff,
    { kind: 'wordpress', source: 'https://ancien.example', ...fields },
    fileOf(html, thumbnail).replaceAll('{origin}', origin),
    'site.xml',
  )

test('pictures of the former site are fetched where this is asked, and each that is not is named with its reason', async () => {
  const refusedNames = ['inside.png', 'metadata.png', 'turning.png', 'missing.png', 'page.png', 'huge.png', 'broken.png']
  const html = [
    ...['a.png', 'b.png', 'moved.png', 'a.png', ...refusedNames].map(image),
    ...['http://127.0.0.3/c.png', 'http://[::1]/d.png', 'ftp://127.0.0.1/e.png', 'data:image/png;base64,AAAA'].map(image),
  ].join('<p>Texte</p>')

  const without = await send(html)
  expect(without.body).toMatchObject({ created: { articles: 1 }, left_out: { pictures: 15 } })
  await staff.delete(`/api/imports/imports/${without.body.id_import}`)

  const tried = await send(html, { fetch: 'true' })
  expect(tried.body).toMatchObject({ created: { articles: 1 }, left_out: { pictures: 2 }, refused_total: 0 })
  expect(tried.body.map).toMatchObject({ '(fetch)': 'yes' })
  // A trial fetches nothing.
  expect(asked).toEqual([])

  const done = await runImport(staff, tried.body.id_import)
  expect(done).toMatchObject({ state: 'done', created: { articles: 1 }, refused_total: 9 })
  expect(done.done).toBe(done.total)
  const figures = [...Object.values(done.created), ...Object.values(done.left_out), done.refused_total]
  expect(figures.reduce((sum, one) => sum + one, 0)).toBe(done.total)
  const reasonOf = (name: string) => done.refused.find((one) => one.name.includes(name))?.reason
  expect(Object.fromEntries([...refusedNames, '127.0.0.3', '[::1]'].map((name) => [name, reasonOf(name)]))).toEqual({
    'inside.png': 'Picture at a private or invalid address: it is not fetched.',
    'metadata.png': 'Picture at a private or invalid address: it is not fetched.',
    'turning.png': 'Picture redirected more than 5 times.',
    'missing.png': 'The server of this picture responded with 404.',
    'page.png': 'Unreadable picture, too small, or of another type than jpg, png, webp or avif.',
    'huge.png': 'Picture over 8 MB.',
    'broken.png': 'The server of this picture does not respond.',
    '127.0.0.3': 'Picture at a private or invalid address: it is not fetched.',
    '[::1]': 'Picture at a private or invalid address: it is not fetched.',
  })
  // The picture above the text, then those of the text; the same address is asked for once.
  const [article] = await product.db.select().from(articles).where(eq(articles.title, 'Routeur'))
  expect(article?.body.match(/<img src="\/media\/[\da-f]{32}-64\.jpeg" alt="" width="64" height="48" \/>/g)).toHaveLength(5)
  expect(article?.body).not.toContain(origin)
  expect(asked.filter((path) => path.endsWith('/a.png'))).toHaveLength(1)
  expect(mostTogether).toBeLessThanOrEqual(3)

  // What failed is tried again by the next import of the same file, and nothing else is.
  isRepaired = true
  const stored = await product.db.$count(pictures)
  const again = await send(html, { fetch: 'true' })
  expect(again.body).toMatchObject({ created: {}, updated: { articles: 1 } })
  const repaired = await runImport(staff, again.body.id_import)
  expect(repaired).toMatchObject({ state: 'done', updated: { articles: 1 }, refused_total: 8 })
  expect(await product.db.$count(pictures)).toBe(stored + 1)
})

test('pictures are fetched by the choice of one import alone', async () => {
  asked.length = 0
  const next = await send(image('later.png'), { source: 'https://autre.example' })
  expect(next.body).toMatchObject({ created: { articles: 1 }, left_out: { pictures: 1 } })
  const { id_import: id, map } = next.body
  expect(map).not.toHaveProperty('(fetch)')
  const chosen = await staff.put<ImportDetail>(`/api/imports/imports/${id}`, { map: { ...map, '(fetch)': 'yes' } })
  expect(chosen.body.left_out).not.toHaveProperty('pictures')
  const { '(fetch)': _fetch, ...off } = chosen.body.map
  const back = await staff.put<ImportDetail>(`/api/imports/imports/${id}`, { map: off })
  expect(back.body.left_out).toMatchObject({ pictures: 1 })
  expect(await runImport(staff, id)).toMatchObject({ state: 'done', left_out: { pictures: 1 } })
  expect(asked).toEqual([])
})

test('a host that does not respond is asked no more than three times', async () => {
  asked.length = 0
  const names = Array.from({ length: 12 }, (_, at) => image(`broken-${at}.png`)).join('')
  const fields = { kind: 'wordpress', source: 'https://muet.example', fetch: 'true' }
  const tried = await sendImport(product, staff, fields, site(item(1, 'Routeur', names)), 'site.xml')
  const done = await runImport(staff, tried.body.id_import)
  const refused = done.refused.filter(({ name }) => name.includes('broken'))
  expect(refused).toHaveLength(12)
  const skipped = refused.filter(({ reason }) => reason.includes('did not respond 3 times in a row'))
  expect(skipped.length).toBeGreaterThanOrEqual(7)
  // Three at once may be under way when the third fails.
  expect(asked.filter((path) => path.includes('broken')).length).toBeLessThanOrEqual(5)
})
