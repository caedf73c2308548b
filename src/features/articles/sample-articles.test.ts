import { expect, test } from 'vitest'
import { setTypography } from '#src/lib/language/texts.ts'
import { textOfHtml } from '#src/lib/text/html-text.ts'
import { sampleRows } from './server/service.ts'
import { isKnownCategory } from './values.ts'

const rows = await sampleRows()
const publicPaths = ['/', '/reseau', '/appel-de-service', '/telecom/docs', '/contact']

test('the sample company answers forty questions in both languages, each under its own address', () => {
  expect(rows.length).toBeGreaterThanOrEqual(40)
  const slugs = rows.flatMap(({ slug, slugEn }) => [slug, slugEn])
  expect(new Set(slugs).size).toBe(slugs.length)
  for (const { category, isPublished, body, bodyEn, title } of rows) {
    expect([title, isPublished, isKnownCategory(category)]).toEqual([title, true, true])
    for (const text of [body, bodyEn].map(textOfHtml)) expect(text.split(/\s+/).length, title).toBeGreaterThan(80)
  }
})

test('their links lead to pages that exist, in the language of the article', () => {
  const missing = rows.flatMap((row) =>
    (['slug', 'slugEn'] as const).flatMap((key) => {
      const addresses = new Set([...publicPaths, ...rows.map((one) => `/aide/${one[key]}`)])
      const text = key === 'slug' ? row.body : row.bodyEn
      return [...text.matchAll(/href="([^"]*)"/g)].flatMap(([, to = '']) => (addresses.has(to) ? [] : `${row.title}: ${to}`))
    }),
  )
  expect(missing).toEqual([])
})

test('they follow the typography of their language', () => {
  const texts = rows.flatMap((row) => [row.title, row.body, row.keywords])
  expect(texts.filter((text) => setTypography(text, 'fr') !== text || /[a-z]'[a-z<]/i.test(text))).toEqual([])
  const english = rows.flatMap((row) => [row.titleEn, textOfHtml(row.bodyEn), row.keywordsEn])
  expect(english.filter((text) => /[a-z]'[a-z]/i.test(text))).toEqual([])
})
