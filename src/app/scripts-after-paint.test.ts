import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { scriptsAfterPaint } from './scripts-after-paint.ts'

const page = `<head><link rel="modulepreload" href="/entry.js" nonce="n"/><link rel="modulepreload" href="/shared.js" nonce="n"/><link rel="modulepreload" href="/a.js" nonce="n"/><link rel="stylesheet" href="/s.css"/></head><body>Été
<script nonce="n" type="module" async="">;
import * as route0 from "/a.js";
import * as route1_main from "/b.js";
const route1 = {...route1_main};
window.__reactRouterManifest = { "entry": { "module": "/entry.js", "imports": ["/shared.js"] } };
import("/entry.js");</script><script nonce="n">after()</script></body>`

/** In pieces as small as one wants, since a stream cuts where it likes. */
const pass = (html: string, size: number) => {
  const bytes = Buffer.from(html)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return text(Readable.from(pieces).pipe(scriptsAfterPaint()))
}

test.each([1, 7, 10_000])('scripts are fetched after the first frame, wherever the stream is cut (%i)', async (size) => {
  const html = await pass(page, size)
  expect(html).not.toContain('<link rel="modulepreload"')
  expect(html).toContain('<link rel="stylesheet" href="/s.css"/>')
  expect(html).not.toContain('import *')
  const order = [
    'Été',
    'const files = ["/shared.js","/a.js","/entry.js"]',
    'requestAnimationFrame',
    'for (const href of files.slice(0, 2))',
    'await import(href)',
    'import("/a.js"), import("/b.js")',
    'const route1',
    'import("/entry.js")',
    'after()',
  ]
  expect(order.map((words) => html.indexOf(words))).toEqual(order.map((words) => html.indexOf(words)).toSorted((a, b) => a - b))
  expect(html).toContain('const [route0, route1_main] = await')
})

test('a page without scripts passes as it is', async () => {
  expect(await pass('<p>Déjà</p>', 2)).toBe('<p>Déjà</p>')
})

test('a long page is copied a few times, not again with each piece', async () => {
  const concat = vi.spyOn(Buffer, 'concat')
  const html = page.replace('Été', 'Réseau '.repeat(20_000))
  await pass(html, 100)
  const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
  concat.mockRestore()
  expect(copied).toBeGreaterThan(0)
  expect(copied).toBeLessThan(5 * Buffer.byteLength(html))
})
