import { describe, expect, test } from 'vitest'
import { collectGarbage } from '#src/server/testing/collect-garbage.ts'
import { isTarget, keyOf, parseFrom } from '../values.ts'
import { createTable, splitAddress } from './matching.ts'
import { isScanner, missingPathOf } from './tally.ts'

/** Where an address leads through these redirects: its location, `410`, or null. */
async function lead(
  rules: readonly (readonly [from: string, to: string | null, status?: 301 | 302 | 410])[],
  address: string,
  answered: readonly string[] = [],
) {
  const table = createTable(
    rules.map(([from, to, status = 301], index) => {
      const pattern = parseFrom(from)
      if (!pattern) throw new Error(`no pattern: ${from}`)
      return { id: index + 1, from, pattern, to, status }
    }),
  )
  const requested = splitAddress(address)
  const route = requested && (await table.follow(requested, (path) => answered.includes(path)))
  return route && (route.location ?? route.status)
}

describe('an old address', () => {
  test.each([
    ['/nous-joindre/', '/contact', '/nous-joindre', '/contact'],
    ['/nous-joindre', '/contact', '/nous-joindre/', '/contact'],
    ['/téléphonie-ip/', '/telecom/docs', '/t%C3%A9l%C3%A9phonie-ip/', '/telecom/docs'],
    ['/t%c3%a9l%c3%a9phonie-ip/', '/telecom/docs', '/te%CC%81le%CC%81phonie-ip/', '/telecom/docs'],
    ['/?p=123', '/reseau', '/?p=123', '/reseau'],
    ['/?p=123', '/reseau', '/?utm_source=x&p=123&lang=en', '/reseau?utm_source=x&lang=en'],
    ['/?p=123', '/reseau', '/?p=12', null],
    ['/a?x=1&y=2', '/reseau', '/a?y=2&x=1&z=%20', '/reseau?z=%20'],
    ['/a?x=1&y=2', '/reseau', '/a?x=1', null],
    ['/a', '/reseau?lang=fr#top', '/a?lang=en&b=c', '/reseau?lang=fr&b=c#top'],
    ['/blog/*', '/aide/*', '/blog/2019/caf%C3%A9?x=1', '/aide/2019/caf%C3%A9?x=1'],
    ['/blog/*', '/aide', '/blog/2019', '/aide'],
    ['/blog/*', '/aide', '/blogue', null],
    ['/blog/*', '/*', '/blog//evil.example/x', '/evil.example/x'],
    ['/blog/*', 'https://www.example.com/b/*', '/blog/%2e%2e/x', null],
    ['/blog/*', 'https://www.example.com/b/*', '/blog/@evil.example', 'https://www.example.com/b/@evil.example'],
    ['/en/careers/*', '/emploi', '/en/careers/7?x=1', '/emploi?x=1&lang=en'],
    ['/en/careers/*', '/emploi', '/EN/careers/7', null],
    ['/fr/nous', 'https://www.example.com/', '/fr/nous', 'https://www.example.com/'],
    ['/a', '/réseau', '/a?q=é\u00A0', '/r%C3%A9seau?q=%C3%A9%C2%A0'],
  ])('%s to %s: %s leads to %s', async (from, to, address, location) => {
    expect(await lead([[from, to]], address)).toBe(location)
  })

  test('that is named more exactly comes first', async () => {
    const rules = [
      ['/a/*', '/1'],
      ['/a/b*', '/2'],
      ['/a/b', '/3'],
      ['/a/b?p=1', '/4'],
    ] as const
    expect(await lead(rules, '/a/x')).toBe('/1')
    expect(await lead(rules, '/a/bc')).toBe('/2')
    expect(await lead(rules, '/a/b?q=1')).toBe('/3?q=1')
    expect(await lead(rules, '/a/b?p=1')).toBe('/4')
  })

  test('leads to the end of a chain in one step, and nowhere in a loop', async () => {
    expect(
      await lead(
        [
          ['/a', '/b'],
          ['/b', '/c'],
          ['/c', '/reseau'],
        ],
        '/a?x=1',
      ),
    ).toBe('/reseau?x=1')
    expect(
      await lead(
        [
          ['/a', '/b'],
          ['/b', null, 410],
        ],
        '/a',
      ),
    ).toBe(410)
    expect(
      await lead(
        [
          ['/a', '/b'],
          ['/b', '/a'],
        ],
        '/a',
      ),
    ).toBeNull()
    expect(await lead([['/a/*', '/a/b/*']], '/a/x')).toBeNull()
    expect(await lead([['/services', '/fr/services']], '/services')).toBeNull()
    expect(await lead([['/services*', '/EN/services*']], '/services/x')).toBeNull()
    expect(await lead([['/nous', '/fr/contact']], '/nous', ['/contact'])).toBe('/fr/contact')
    expect(await lead([['/a/*', '/a/b']], '/a/x', ['/a/b'])).toBe('/a/b')
  })

  test('goes on from a path that names the language', async () => {
    const rules = [
      ['/a', '/en/b'],
      ['/b', '/reseau'],
    ] as const
    expect(await lead(rules, '/a?x=1')).toBe('/reseau?x=1&lang=en')
  })

  test.each([
    '',
    'a',
    '//evil',
    '/\\evil',
    '/x%0d%0aSet-Cookie:a',
    '/x\r\nSet-Cookie:a',
    '/a/../admin',
    '/a/%2e%2e/x',
    '/a%2fb',
    '/%ff',
    '/a*b',
    '/*/a',
    '/a?b=*',
    '/a*?b=1',
    '/a#b',
    '/a\0',
    'https://evil.example/',
  ])('%j is none', (from) => {
    expect(parseFrom(from)).toBeNull()
  })

  test.each([
    '',
    'a',
    '//evil.example',
    '/\\evil.example',
    'http://www.example.com/',
    'javascript:alert(1)',
    'https://a@evil.example/',
    'https://www.example.com*',
    '/a*b',
    '/a\r\nX: y',
    'https:///evil',
    '/a?b=*',
  ])('%j is no target', (to) => {
    expect(isTarget(to)).toBe(false)
  })

  test('has one key for its spellings', () => {
    const keys = ['/é/?b=2&a=1', '/%C3%A9?a=1&b=2', '/e\u0301?b=2&a=1'].map((from) => {
      const pattern = parseFrom(from)
      return pattern && keyOf(pattern)
    })
    expect(new Set(keys).size).toBe(1)
  })
})

describe('an address asked in vain', () => {
  test.each([
    ['/vieille-page/?utm_source=x&name=Zo%C3%A9', '/vieille-page/'],
    ['/t%C3%A9l%C3%A9phonie', '/téléphonie'],
    ['/?p=12&name=zoe', '/?p=12'],
    ['/?page_id=zoe', null],
    ['/2019/03/guide.pdf', '/2019/03/guide.pdf'],
    ['/suivi/abcdefghijkl', null],
    ['/admin/x', null],
    ['/zoe@example.com', null],
    ['/appel/4185550134', null],
    ['/lien/0f8e7a6b5c4d3e2f1a0b9c8d7e6f5a4b', null],
    ['/assets/old-1234.js', null],
    ['/%ff', null],
  ])('%s is counted as %s', (url, path) => {
    expect(missingPathOf(url, ['/suivi/'])).toBe(path)
  })

  test.each(['/wp-login.php', '/.env', '/.git/config', '/blog/xmlrpc.php', '/wp-admin/setup.php', '/phpmyadmin/', '/dump.sql'])(
    '%s is a scanner’s',
    (path) => {
      expect(isScanner(path)).toBe(true)
    },
  )
  test.each(['/wp-content/uploads/2019/guide.pdf', '/contact.php', '/environnement', '/vendors'])('%s is not', (path) => {
    expect(isScanner(path)).toBe(false)
  })
})

test('addresses that were only tried leave nothing in memory', () => {
  const table = createTable([])
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const tried = 100_000
  for (let id = 1; id <= tried; id += 1) {
    const pattern = { path: `/une-ancienne-adresse-${id}`, isPrefix: false, query: [] }
    const rule = { id, from: pattern.path, to: '/aide', status: 301, pattern } as const
    table.add(rule)
    table.drop(rule)
  }
  collectGarbage()
  expect((process.memoryUsage().heapUsed - before) / tried).toBeLessThan(20)
  // Still in use, so that it is not collected itself.
  expect(table.match({ path: '/une-ancienne-adresse-1', query: '' })).toBeNull()
})
