import { inflateSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { isStoredPhoto, removeUnusedPictures, storeLogo, storePicture } from '../content/server/pictures.ts'
import { findPictureProcess, readOfProcess } from '../content/server/testing.ts'
import type { Employee } from './contract.ts'

const path = '/api/employees/employes'
const person = {
  nom: 'Zoé',
  departement: 'VENTES',
  sousdepartement: 'VENTES',
  titre: 'Vendeuse',
  titre_en: 'Saleswoman',
  email: 'zoe@example.com',
  description: 'Elle vend.',
  description_en: 'She sells.',
}

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn({ employees: 'read_write' })
})
afterAll(() => product.stop())

const dataUrl = (bytes: Buffer, type = 'image/jpeg') => `data:${type};base64,${bytes.toString('base64')}`
const upload = (photo: string, name = 'photo.jpg') =>
  staff.post<Employee>(path, { ...person, new_photo_path: name, new_photo: photo })

const picture = () => sharp({ create: { width: 900, height: 700, channels: 3, background: '#1746a2' } })

async function fetchPhoto(address: string) {
  const response = await fetch(product.origin + address)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('photos', () => {
  test.each(['jpeg', 'png', 'avif'] as const)(
    'a %s becomes square copies in AVIF and JPEG, cached as immutable',
    async (format) => {
      const { status, body } = await upload(dataUrl(await picture().toFormat(format).toBuffer(), `image/${format}`))
      expect(status).toBe(201)
      expect(body.photo).toMatch(/^\/media\/[\da-f]{32}-640\.jpeg$/)
      for (const address of [body.photo ?? '', body.photo?.replace('-640.jpeg', '-96.avif') ?? '']) {
        const { response, bytes } = await fetchPhoto(address)
        expect(response.status).toBe(200)
        expect(response.headers.get('cache-control')).toContain('immutable')
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
        const { width, height } = await sharp(bytes).metadata()
        expect(width).toBe(height)
      }
    },
  )

  test.each([
    ['logo', '#0b6b4f', async (bytes: Buffer) => storeLogo(product.db, dataUrl(bytes, 'image/png'))],
    ['picture of a text', '#7a1fa2', async (bytes: Buffer) => (await storePicture(product.db, bytes)).url],
  ])('of the bytes of a %s have their own copies', async (_what, tint, storeOther) => {
    const bytes = await picture().tint(tint).png().toBuffer()
    const other = await storeOther(bytes)
    const { body } = await upload(dataUrl(bytes, 'image/png'))
    const statuses = await Promise.all([other, body.photo ?? ''].map(async (one) => (await fetchPhoto(one)).response.status))
    expect(statuses).toEqual([200, 200])
  })

  test('are removed a month after the last entry that showed them, and not before', async () => {
    const { body } = await upload(dataUrl(await picture().tint('#b3261e').png().toBuffer(), 'image/png'))
    const address = body.photo ?? ''
    const remove = async (days: number) =>
      removeUnusedPictures(product.db, product.app.pictureTables, new Date(Date.now() - days * 86_400_000), 100)
    await remove(-1)
    expect(await isStoredPhoto(product.db, address)).toBe(true)
    expect((await staff.delete(`${path}/${body.id_employe}`)).status).toBe(204)
    await remove(30)
    expect(await isStoredPhoto(product.db, address)).toBe(true)
    // Any text of any entry may show it.
    const note = `<p><img src="${address}"></p>`
    await product.db.execute(sql`insert into notes (note_date, note) values ('2026-11-20', ${note})`)
    await remove(-1)
    expect(await isStoredPhoto(product.db, address)).toBe(true)
    await product.db.execute(sql`delete from notes`)
    expect(await remove(-1)).toBeGreaterThan(0)
    expect(await isStoredPhoto(product.db, address)).toBe(false)
  })

  test('the metadata of a photo is removed', async () => {
    const withGps = await picture()
      .jpeg()
      .withExif({ IFD0: { Artist: 'Secret Artist' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 48/1 50/1' } })
      .toBuffer()
    expect((await sharp(withGps).metadata()).exif).toBeDefined()
    const { body } = await upload(dataUrl(withGps))
    for (const address of [body.photo ?? '', body.photo?.replace('.jpeg', '.avif') ?? '']) {
      const { bytes } = await fetchPhoto(address)
      expect((await sharp(bytes).metadata()).exif).toBeUndefined()
      expect(bytes.includes('Secret Artist')).toBe(false)
    }
  })

  test('the EXIF orientation of a photo is applied', async () => {
    const sideways = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'white' } })
      .composite([{ input: { create: { width: 400, height: 100, channels: 3, background: 'black' } }, left: 0, top: 0 }])
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { body } = await upload(dataUrl(sideways))
    const { bytes } = await fetchPhoto(body.photo ?? '')
    const light = async (left: number) => {
      const corner = await sharp(bytes).extract({ left, top: 300, width: 20, height: 20 }).toBuffer()
      return (await sharp(corner).stats()).channels[0]?.mean
    }
    expect(await light(600)).toBeLessThan(40)
    expect(await light(20)).toBeGreaterThan(215)
  })

  test('HTML appended to a picture is not served', async () => {
    const polyglot = Buffer.concat([await picture().jpeg().toBuffer(), Buffer.from('<html><script>alert(1)</script></html>')])
    const { status, body } = await upload(dataUrl(polyglot))
    expect(status).toBe(201)
    const { response, bytes } = await fetchPhoto(body.photo ?? '')
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(bytes.includes('<script>')).toBe(false)
  })

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 415],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 415],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), 415],
    ['nothing', Buffer.from('x'), 415],
    [
      'a page with the first bytes of a JPEG',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>alert(1)</script>')]),
      422,
    ],
    ['a PNG cut in two', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 422],
    ['a PNG of 50,000 by 50,000 pixels', hugePng(50_000), 422],
  ])('%s is rejected', async (_name, bytes, status) => {
    const answer = await upload(dataUrl(bytes, 'image/jpeg'))
    expect(answer.status).toBe(status)
  })

  test('rejecting a huge photo uses little memory', async () => {
    const before = process.memoryUsage().rss
    for (let count = 0; count < 10; count += 1) await upload(dataUrl(hugePng(30_000 + count), 'image/png'))
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readOfProcess(findPictureProcess(), 'status')) ?? []
    expect(Number(peak)).toBeLessThan(200 * 1024)
  })

  test('rejects what is no data URL', async () => {
    for (const photo of ['https://example.com/a.jpg', 'data:image/svg+xml,<svg/>', 'data:image/png;base64,****', 'x']) {
      expect((await upload(photo)).status).toBe(422)
    }
  })

  test('rejects more than 8 MB', async () => {
    const large = Buffer.concat([await picture().jpeg().toBuffer(), Buffer.alloc(8 * 1024 * 1024)])
    expect((await upload(dataUrl(large))).status).toBe(413)
  })

  test.each(['../../x.png', '%00.png', 'a'.repeat(300), '<script>.jpg', 'C:\\photo.exe'])(
    'accepts the file name %s without using it',
    async (name) => {
      const { status, body } = await upload(dataUrl(await picture().png().toBuffer(), 'image/png'), name)
      expect(status).toBe(201)
      expect(body.photo).toMatch(/^\/media\/[\da-f]{32}-640\.jpeg$/)
    },
  )

  test('rejects a name with a NUL byte', async () => {
    expect((await upload(dataUrl(await picture().png().toBuffer()), 'a\0.png')).status).toBe(400)
  })

  test('keeps the photo without a new one, and removes it on null', async () => {
    const { body: made } = await upload(dataUrl(await picture().jpeg().toBuffer()))
    const address = `${path}/${made.id_employe}`
    expect((await staff.put<Employee>(address, person)).body.photo).toBe(made.photo)
    expect((await staff.put<Employee>(address, { ...person, photo: made.photo })).body.photo).toBe(made.photo)
    expect((await staff.put<Employee>(address, { ...person, photo: null })).body.photo).toBe(null)
  })

  test('restores a deleted employee with the photo', async () => {
    const { body: made } = await upload(dataUrl(await picture().png().toBuffer(), 'image/png'))
    const address = `${path}/${made.id_employe}`
    const auditor = await product.signIn({ employees: 'read_write', audit: 'read_only' })
    await auditor.delete(address)
    const entries = await auditor.get<{ id_entry: number }[]>('/api/audit/entries?area=employees&action=delete&limit=1')
    expect((await auditor.post(`/api/audit/entries/${entries.body[0]?.id_entry}/restore`)).status).toBe(204)
    expect((await auditor.get<Employee>(address)).body).toEqual({ ...made, version: 2 })
    expect((await fetchPhoto(made.photo ?? '')).response.status).toBe(200)
  })

  test('returns 404 for an unknown photo, and 400 for an invalid address', async () => {
    expect((await fetchPhoto(`/media/${'0'.repeat(32)}-640.jpeg`)).response.status).toBe(404)
    expect((await fetchPhoto('/media/..%2f..%2fetc%2fpasswd')).response.status).toBe(400)
  })
})

/** A valid, tiny PNG whose header declares a square of this many pixels. */
function hugePng(side: number) {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  )
  png.writeUInt32BE(side, 16)
  png.writeUInt32BE(side, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  expect(inflateSync(png.subarray(41, 51))).toBeDefined()
  return png
}

function crc32(bytes: Buffer) {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
