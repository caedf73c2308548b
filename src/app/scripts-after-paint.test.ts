import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import type { EntryContext, ServerBuild } from 'react-router'
import { createRequestHandler, Outlet, Scripts, ServerRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { timeAsyncGrowth } from '#src/lib/testing/time-growth.ts'
import { scriptsAfterPaint } from './scripts-after-paint.ts'

const page = `<head><link rel="modulepreload" href="/entry.js" nonce="n"/><link rel="modulepreload" href="/shared.js" nonce="n"/><link rel="modulepreload" href="/a.js" nonce="n"/><link rel="stylesheet" href="/s.css"/></head><body>Été
<script nonce="n" type="module" async="">;
import * as route0 from "/a.js";
import * as route1_main from "/b.js";
const route1 = {...route1_main};
window.__reactRouterManifest = { "entry": { "module": "/entry.js", "imports": ["/shared.js"] } };
import("/entry.js");</script><script nonce="n">after()</script></body>`

/** Splits a page at any size, since a stream can be cut anywhere. */
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

test('a page that is mostly read waits for its use before it asks for its scripts', async () => {
  const reading = { live: '/assets/live-stream-aaaaaaaa.js', since: 7, build: 'b"1' }
  const html = await text(Readable.from([Buffer.from(page)]).pipe(scriptsAfterPaint(reading)))
  const order = [
    'requestAnimationFrame',
    'function waitUntilUsed',
    '{"live":"/assets/live-stream-aaaaaaaa.js","since":7,"build":"b\\"1"',
    'for (const href of files)',
    'import("/a.js")',
  ]
  expect(order.map((words) => html.indexOf(words))).toEqual(order.map((words) => html.indexOf(words)).toSorted((a, b) => a - b))
  expect(html.indexOf(order[0] ?? '')).toBeGreaterThan(0)
  expect(await pass(page, 10_000)).not.toContain('waitUntilUsed')
})

test('a page without scripts stays unchanged', async () => {
  expect(await pass('<p>Déjà</p>', 2)).toBe('<p>Déjà</p>')
})

test('copies a long page a few times, not once per chunk', async () => {
  const concat = vi.spyOn(Buffer, 'concat')
  const html = page.replace('Été', 'Réseau '.repeat(20_000))
  await pass(html, 100)
  const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
  concat.mockRestore()
  expect(copied).toBeGreaterThan(0)
  expect(copied).toBeLessThan(5 * Buffer.byteLength(html))
})

test('a page of 10 MB takes about ten times as long as one of 1 MB', async () => {
  const ratio = await timeAsyncGrowth((size) => pass(page.replace('Été', 'Réseau '.repeat(size / 8)), 4_096), 1_000_000)
  expect(ratio).toBeLessThan(50)
}, 60_000)

test('rewrites all scripts of the router, and fails when a new version changes them', async () => {
  const html = await routerOutput()
  expect(html).toContain('type="module"')
  const page = await pass(html, 10_000)
  expect(page).not.toContain('rel="modulepreload"')
  expect(page).not.toMatch(/import \* as/)
  expect(page).toContain('const files = ["/shared.js","/root.js","/root-part.js","/page.js","/entry.js"]')
  expect(page).toContain('const [route0, route1] = await Promise.all([import("/root.js"), import("/page.js")])')
  const order = ['requestAnimationFrame', 'await import(href)', 'window.__reactRouterRouteModules', 'import("/entry.js")']
  expect(order.map((text) => page.indexOf(text))).toEqual(order.map((text) => page.indexOf(text)).toSorted((a, b) => a - b))
  expect(page.indexOf(order[0] ?? '')).toBeGreaterThan(0)
})

/** A page of two routes, as the router renders it on the server. */
async function routerOutput() {
  const asset = { hasAction: false, hasLoader: false, hasClientAction: false, hasClientLoader: false, hasErrorBoundary: false }
  const root = { id: 'root', path: '', module: '/root.js', imports: ['/shared.js', '/root-part.js'], ...asset }
  const page = { id: 'page', parentId: 'root', index: true, module: '/page.js', imports: ['/shared.js'], ...asset }
  const document = () => createElement('html', null, createElement('body', null, createElement(Outlet), createElement(Scripts)))
  const build = {
    assets: {
      entry: { module: '/entry.js', imports: ['/shared.js'] },
      routes: { root, page },
      url: '/manifest.js',
      version: '1',
    },
    basename: '/',
    entry: {
      module: {
        default: (request: Request, status: number, headers: Headers, context: EntryContext) =>
          new Response(renderToString(createElement(ServerRouter, { context, url: request.url, nonce: 'n' })), {
            status,
            headers,
          }),
      },
    },
    routes: {
      root: { id: 'root', path: '', module: { default: document } },
      page: { id: 'page', parentId: 'root', index: true, module: { default: () => 'Page' } },
    },
    assetsBuildDirectory: '',
    future: {},
    isSpaMode: false,
    prerender: [],
    publicPath: '/',
    routeDiscovery: { mode: 'lazy', manifestPath: '/__manifest' },
    ssr: true,
  }
  const response = await createRequestHandler(build as unknown as ServerBuild)(new Request('https://www.example.com/'))
  return response.text()
}
