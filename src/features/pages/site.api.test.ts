import { createHash } from 'node:crypto'
import { languages, locales } from '#src/lib/language/language.ts'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { media } from '#company/media.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import type { MapSettings, OfferedFile, PageText, ShownTutorial } from './contract.ts'

const file = 'assistance-windows.zip'
const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251))

let product: TestApp
let visitor: TestClient
beforeAll(async () => {
  product = await startTestApp({ environment: { MAP_TILES_URL: 'https://tiles.example.com/{z}/{x}/{y}.png' } })
  visitor = await product.client()
  mkdirSync(join(product.dataDir, 'downloads'))
  mkdirSync(join(product.dataDir, 'videos'))
})
afterAll(() => product.stop())

const offered = async (id: string) => (await visitor.get<OfferedFile[]>('/api/site/downloads')).body.find((one) => one.id === id)
const fetchBytes = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(product.origin + path, { headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('texts', () => {
  test('are sent in the requested language, French by default', async () => {
    expect((await visitor.get<PageText>('/api/site/texts/cloud')).body).toMatchObject({
      name: 'cloud',
      language: 'fr',
      title: 'Infonuagique',
    })
    expect((await visitor.get<PageText>('/api/site/texts/cloud?lang=en')).body).toMatchObject({ language: 'en', title: 'Cloud' })
    expect((await visitor.get<PageText>('/api/site/texts/phone_tutorial?lang=en')).body.language).toBe('fr')
  })

  test.each([
    '/api/site/texts/nothing',
    '/api/site/texts/..%2f..%2fpackage',
    '/api/site/texts/cloud?lang=de',
    '/api/site/texts/cloud?lang=fr&lang=en',
    '/api/site/texts/cloud?language=fr',
  ])('returns 400 for %s', async (path) => {
    expect((await visitor.get(path)).status).toBe(400)
  })
})

describe('downloads', () => {
  test('shows a missing file as unavailable', async () => {
    expect(await offered('softphone-windows')).toMatchObject({ href: null, size: null, sha256: null, external: false })
    const address = '/downloads/telephone-logiciel-windows.zip'
    expect((await visitor.get(address)).status).toBe(404)
    const person = await fetch(product.origin + address, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([person.status, person.headers.get('location')]).toEqual([302, '/telecom/docs'])
    expect(person.headers.get('content-disposition')).toBeNull()
  })

  test('shows size and SHA-256 of a file, updated when it changes', async () => {
    const path = join(product.dataDir, 'downloads', file)
    writeFileSync(path, bytes)
    const before = { href: `/downloads/${file}`, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    expect(await offered('remote-assistance-windows')).toMatchObject(before)
    const changed = Buffer.from(bytes).fill(1)
    writeFileSync(path, changed)
    utimesSync(path, new Date(), new Date(Date.now() + 5_000))
    expect((await offered('remote-assistance-windows'))?.sha256).toBe(createHash('sha256').update(changed).digest('hex'))
    writeFileSync(path, bytes)
  })

  test('all files of the sample exist on a demonstration site', async () => {
    const demonstration = await startTestApp({ environment: { DEMO: '1' } })
    try {
      const { body: files } = await (await demonstration.client()).get<OfferedFile[]>('/api/site/downloads')
      expect(files).toHaveLength(media.downloads.length)
      for (const { href, external } of files) {
        if (external) continue
        const sent = await fetch(demonstration.origin + String(href))
        expect([sent.status, Buffer.from(await sent.arrayBuffer()).toString('latin1', 0, 2)], String(href)).toEqual([200, 'PK'])
      }
    } finally {
      await demonstration.stop()
    }
  })

  test('keeps a link to the publisher', async () => {
    expect(await offered('remote-assistance-mac')).toMatchObject({
      external: true,
      href: 'https://assistance.example.com/mac',
      sha256: null,
    })
  })

  test('sends files in full, in ranges, and for HEAD', async () => {
    const whole = await fetchBytes(`/downloads/${file}`)
    expect(whole.bytes.equals(bytes)).toBe(true)
    expect(whole.headers.get('content-disposition')).toBe(`attachment; filename="${file}"`)
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')

    const part = await fetchBytes(`/downloads/${file}`, { range: 'bytes=100-199' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`)
    expect(part.bytes.equals(bytes.subarray(100, 200))).toBe(true)

    const beyond = await fetchBytes(`/downloads/${file}`, { range: `bytes=${bytes.length}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`)

    const announced = await fetch(`${product.origin}/downloads/${file}`, { method: 'HEAD' })
    expect(announced.headers.get('content-length')).toBe(String(bytes.length))
    // By default fetch would bypass caches.
    const known = await fetchBytes(`/downloads/${file}`, {
      'if-none-match': whole.headers.get('etag') ?? '',
      'cache-control': 'max-age=0',
    })
    expect(known.status).toBe(304)
  })

  test.each([
    '..%2fsession-secret',
    '%2e%2e%2fsession-secret',
    '..%5csession-secret',
    'notes.txt',
    '.hidden',
    `${file}%00.txt`,
    '%',
    'x'.repeat(150),
  ])('serves no unlisted file: %s', async (name) => {
    writeFileSync(join(product.dataDir, 'downloads', 'notes.txt'), 'secret')
    const { status, bytes: answer } = await fetchBytes(`/downloads/${name}`)
    expect([400, 404, 414]).toContain(status)
    expect(answer.toString()).not.toContain('secret\n')
  })
})

describe('tutorials', () => {
  const [first] = media.tutorials
  const video = first?.video.kind === 'file' ? first.video : undefined

  test('serves the product’s own videos in ranges, with captions', async () => {
    const { body } = await visitor.get<ShownTutorial[]>('/api/site/tutorials')
    expect(body.map((one) => one.name)).toEqual(media.tutorials.map((one) => one.name))
    expect(body[0]?.video).toMatchObject({ kind: 'file', src: `/videos/${video?.file}`, captions: `/videos/${video?.captions}` })
    const part = await fetchBytes(`/videos/${video?.file}`, { range: 'bytes=0-99' })
    expect([part.status, part.bytes.length, part.headers.get('content-type')]).toEqual([206, 100, 'video/mp4'])
    const captions = await fetchBytes(`/videos/${video?.captions}`)
    expect(captions.headers.get('content-type')).toMatch(/^text\/vtt/)
    expect(captions.bytes.toString()).toMatch(/^WEBVTT\n/)
  })

  test('are four, with softphones for Windows and Mac', async () => {
    expect((await visitor.get<ShownTutorial[]>('/api/site/tutorials')).body).toHaveLength(4)
    const { body } = await visitor.get('/api/site/downloads')
    expect(JSON.stringify(body)).toMatch(/oftphone.*Windows.*oftphone.*Mac/i)
  })

  test('prefers the company’s own video of the same name', async () => {
    const path = join(product.dataDir, 'videos', video?.file ?? '')
    writeFileSync(path, 'ours')
    expect((await fetchBytes(`/videos/${video?.file}`)).bytes.toString()).toBe('ours')
    rmSync(path)
  })

  test.each(['..%2fsession-secret', 'other.mp4', '..%2f..%2fcompany%2fcompany.ts'])('serves no other file: %s', async (name) => {
    expect((await fetchBytes(`/videos/${name}`)).status).toBe(404)
  })
})

describe('the other pages', () => {
  test('show ten scenes, and a map with tiles and directions', async () => {
    expect((await visitor.get<unknown[]>('/api/site/scenes')).body).toHaveLength(10)
    const { body } = await visitor.get<MapSettings>('/api/site/map')
    expect(body.tilesUrl).toBe('https://tiles.example.com/{z}/{x}/{y}.png')
    expect(body.directionsUrl).toMatch(/^https:\/\/.*46\.8139.*-71\.208/)
  })
})

describe('files for search engines and home screens', () => {
  test('are a valid sitemap and robots.txt with the site’s own address', async () => {
    const sitemap = await visitor.get<string>('/sitemap.xml')
    expect(XMLValidator.validate(sitemap.text)).toBe(true)
    expect(sitemap.headers.get('content-type')).toMatch(/^application\/xml/)
    expect(sitemap.text).toContain(`<loc>${product.origin}/contact?lang=en</loc>`)
    expect((await visitor.get('/robots.txt')).text).toContain(`Sitemap: ${product.origin}/sitemap.xml`)
  })

  test.each(languages)('are a manifest whose pictures exist (%s)', async (language) => {
    const { body, headers } = await visitor.get<{ lang: string; icons: { src: string }[] }>(`/manifest.${language}.webmanifest`)
    expect(headers.get('content-type')).toMatch(/^application\/manifest\+json/)
    expect(body.lang).toBe(locales[language])
    expect(body.icons.length).toBeGreaterThan(2)
  })
})
