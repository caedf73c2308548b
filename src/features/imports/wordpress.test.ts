import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { item, polylang, site, wpml } from './testing.ts'
import { findSite, readItems } from './server/read-wxr.ts'
import { addressOf, isBlank, reduceHtml, wordpressImporter } from './server/wordpress.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-wxr-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(content: string) {
  const path = join(folder, 'site.xml')
  writeFileSync(path, content)
  return { path, charset: 'utf-8' }
}

describe('a WordPress export', () => {
  test.each([
    ['a DTD with entities', site(item(1, '&a;', 'x'), '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'), /DOCTYPE/],
    ['an entity that XML does not have', site(item(1, '&nbsp;', 'x')), /ligne 1/],
    ['a file that ends in the middle', site(item(1, 'a', 'x')).slice(0, -20), /ligne 1/],
    ['another kind of XML', '<?xml version="1.0"?><rss><channel/></rss>', /WordPress/],
    ['NUL', site(item(1, 'a\0b', 'x')), /ligne 1/],
    ['a text that never ends', `${site('').slice(0, -16)}<![CDATA[${'a'.repeat(6_000_000)}`, /5 Mo/],
    ['an attribute that never ends', `${site('').slice(0, -16)}<category domain="${'a'.repeat(6_000_000)}`, /5 Mo/],
    ['elements in elements', site('<a>'.repeat(101)), /imbriqué/],
  ])('with %s is refused in words', async (_name, content, message) => {
    const readAll = async () => {
      for await (const { item: one } of readItems(fileOf(content))) expect(one.title).toBe('a')
    }
    await expect(readAll()).rejects.toMatchObject({ status: 422, reason: { fr: expect.stringMatching(message) as string } })
  })

  test('with a megabyte of what never ends is read in one pass', () => {
    expect(reduceHtml('[a '.repeat(350_000))).toMatch(/^<p>\[a \[a/)
    expect(reduceHtml('<!-- wp:a '.repeat(105_000))).toMatch(/^<p><!-- wp:a/)
    expect(isBlank('<a '.repeat(350_000))).toBe(false)
    expect(isBlank('<!-- '.repeat(210_000))).toBe(false)
    expect(reduceHtml('<!-- wp:image {"id":1} -->[caption id="x" width="1"]A[/caption]<!-- /wp:image -->')).toBe('<p>A</p>')
    expect(isBlank('<!-- wp:a --><p>&nbsp;</p>\n<!-- > -->')).toBe(true)
  })

  test('joins no posts by an empty group of WPML, nor more than a plugin writes', async () => {
    const many = Array.from({ length: 50 }, (_, index) => item(index + 3, 'x', '<p>C</p>', polylang('fr', 'pll_1'))).join('')
    const two = item(1, 'a', '<p>A</p>', wpml('fr', '')) + item(2, 'b', '<p>B</p>', wpml('en', ''))
    const read = 'read' in wordpressImporter ? wordpressImporter.read : undefined
    const source = { ...fileOf(site(two + many)), map: {}, isTrial: true, workFolder: folder, context: {} as never, closers: [] }
    const kinds: string[] = []
    for await (const one of read?.(source) ?? []) kinds.push('leftOut' in one ? one.leftOut : (one.writer ?? ''))
    expect(kinds).toEqual([...Array(52).fill('articles'), ...Array(52).fill('redirects')])
  })

  test('is named after its site', async () => {
    const head = (name: string, address: string) => `<wp:base_${name}_url>${address}</wp:base_${name}_url>`
    const network = head('site', '<![CDATA[https://example.com]]>')
    expect(await findSite(fileOf(site('', '', network)))).toBe('https://example.com')
    expect(await findSite(fileOf(site('', '', network + head('blog', 'https://example.com/aide/'))))).toBe(
      'https://example.com/aide',
    )
    expect(await findSite(fileOf(site('', '', head('site', 'javascript:alert(1)'))))).toBeNull()
  })

  test.each([
    ['https://example.com/a/b%C3%A9/', 'publish', '/a/bé/'],
    ['https://example.com/?p=12', 'publish', '/?p=12'],
    ['https://example.com/?page_id=3&preview=true', 'publish', '/?page_id=3'],
    ['https://example.com/', 'publish', null],
    ['https://example.com/?p=12', 'draft', null],
    ['https://other.example/a', 'publish', null],
    ['javascript:alert(1)', 'publish', null],
    ['https://example.com/%E0%A4%A', 'publish', '/%E0%A4%A'],
  ])('whose item %s is %s leads from %s', (link, status, expected) => {
    expect(addressOf({ link, status }, 'https://example.com')).toBe(expected)
  })
})
