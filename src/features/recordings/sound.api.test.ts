import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { makeTone } from './server/sound.ts'
import { entriesOf, path, someCall, upload } from './testing/calls.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

describe('the audio', () => {
  const content = makeTone({ seconds: 1, hertz: 555 })
  let address = ''
  let id = 0
  let staff: Awaited<ReturnType<TestApp['signIn']>>
  beforeAll(async () => {
    staff = await product.signIn({ recordings: 'read_write' })
    const { body } = await upload(staff, { ...someCall(), content })
    id = body.id_recording
    address = `${path}/${id}/audio`
  })
  const request = async (headers: Record<string, string>, method = 'GET', where = address) => {
    const response = await fetch(product.origin + where, { method, headers: { cookie: staff.cookieHeader(), ...headers } })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  test('is sent whole or in the requested ranges', async () => {
    const whole = await request({})
    expect(whole.status).toBe(200)
    expect(whole.bytes.equals(content)).toBe(true)
    expect(whole.headers.get('accept-ranges')).toBe('bytes')
    expect(whole.headers.get('content-type')).toBe('audio/wav')
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    const part = await request({ range: 'bytes=100-199' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${content.length}`)
    expect(part.bytes.equals(content.subarray(100, 200))).toBe(true)
    const end = await request({ range: 'bytes=-10' })
    expect(end.bytes.equals(content.subarray(-10))).toBe(true)
    const beyond = await request({ range: `bytes=${content.length}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${content.length}`)
  })

  test('HEAD returns its length, If-Range a range of the same file only', async () => {
    const head = await request({}, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(content.length))
    expect(head.bytes).toHaveLength(0)
    const etag = head.headers.get('etag') ?? ''
    expect((await request({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await request({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  test('records one play per session, and each download, in the audit log', async () => {
    await request({ range: 'bytes=0-99' })
    await request({ range: 'bytes=100-199' })
    expect(await entriesOf(product, 'play', id)).toHaveLength(1)
    const other = await product.signIn({ recordings: 'read_only' })
    await other.get(address)
    const plays = await entriesOf(product, 'play', id)
    expect(plays.map(({ userId }) => userId)).toEqual([other.user.id, staff.user.id])
    const download = address.replace('audio', 'download')
    const whole = await request({}, 'GET', download)
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="external-101-.*\.wav"/)
    await request({ range: 'bytes=0-' }, 'GET', download)
    await request({ range: 'bytes=1000-' }, 'GET', download)
    expect(await entriesOf(product, 'download', id)).toHaveLength(2)
  })

  test.each(['0', '-1', '1e3', '999999', '..%2f..%2fetc%2fpasswd', '1%00'])('returns 404 for %s', async (wrong) => {
    expect([400, 404]).toContain((await request({}, 'GET', `${path}/${wrong}/audio`)).status)
  })
})
