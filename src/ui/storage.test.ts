import { afterEach, describe, expect, it, vi } from 'vitest'
import { openStorage, readCookie, writeCookie } from './storage.ts'

const refuse = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

/** A storage that can be read, but not written to (quota 0) or only with short values. */
function fakeStorage(quota: number, entries: Record<string, string> = {}) {
  const items = new Map(Object.entries(entries))
  return {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
    setItem: (key: string, value: string) => {
      if (value.length > quota) throw new DOMException('Full.', 'QuotaExceededError')
      items.set(key, value)
    },
  }
}

afterEach(() => vi.unstubAllGlobals())

describe('openStorage', () => {
  it('stores in memory where the getter of the storage throws', () => {
    vi.stubGlobal('window', Object.defineProperty({}, 'sessionStorage', { get: refuse }))
    const storage = openStorage('sessionStorage')
    expect(storage.read('draft')).toBeNull()
    storage.write('draft', 'text')
    expect(storage.read('draft')).toBe('text')
    storage.write('draft', null)
    expect(storage.read('draft')).toBeNull()
  })

  it('stores in memory where the quota is 0 or storage is disabled', () => {
    for (const localStorage of [fakeStorage(0), null]) {
      vi.stubGlobal('window', { localStorage })
      const storage = openStorage('localStorage')
      storage.write('draft', 'text')
      expect(storage.read('draft')).toBe('text')
    }
  })

  it('removes the older value where the new one does not fit', () => {
    const localStorage = fakeStorage(4, { draft: 'old' })
    vi.stubGlobal('window', { localStorage })
    const storage = openStorage('localStorage')
    storage.write('draft', 'too long')
    expect(storage.read('draft')).toBe('too long')
    expect(localStorage.getItem('draft')).toBeNull()
    storage.write('draft', 'fits')
    expect(localStorage.getItem('draft')).toBe('fits')
  })

  it('names what is in memory alone', () => {
    vi.stubGlobal('window', { localStorage: fakeStorage(4) })
    const storage = openStorage('localStorage')
    storage.write('fits', 'text')
    expect([...storage.memory]).toEqual([])
    storage.write('draft', 'too long')
    expect([...storage.memory]).toEqual([['draft', 'too long']])
    storage.write('draft', null)
    expect([...storage.memory]).toEqual([])
  })

  it('reads what another tab wrote', () => {
    const localStorage = fakeStorage(100)
    vi.stubGlobal('window', { localStorage })
    const storage = openStorage('localStorage')
    storage.write('draft', 'mine')
    localStorage.setItem('draft', 'theirs')
    expect(storage.read('draft')).toBe('theirs')
  })
})

describe('cookies', () => {
  it('are stored in memory where the browser blocks them', () => {
    vi.stubGlobal('location', { protocol: 'https:' })
    const refused = { get: refuse, set: refuse }
    for (const [theme, cookie] of [
      ['dark', { get: () => '', set: () => undefined }],
      ['light', refused],
    ] as const) {
      vi.stubGlobal('document', Object.defineProperty({}, 'cookie', cookie))
      writeCookie('theme', theme)
      expect(readCookie('theme')).toBe(theme)
    }
    vi.stubGlobal('document', Object.defineProperty({}, 'cookie', refused))
    expect(readCookie('never-written')).toBeUndefined()
  })

  it('of other origin are ignored', () => {
    vi.stubGlobal('document', { cookie: 'other=%E0%A4%A; XSRF-TOKEN=a%2Bb' })
    expect(readCookie('other')).toBeUndefined()
    expect(readCookie('XSRF-TOKEN')).toBe('a+b')
  })
})
