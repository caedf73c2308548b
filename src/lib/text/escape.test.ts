import { describe, expect, test } from 'vitest'
import { csvFile, csvLine, escapeXml } from './escape.ts'

describe('a CSV row', () => {
  test('cells are quoted only where they must be', () => {
    expect(csvLine(['a', 'b c', 3, null, 'd,e', 'say "hi"', 'two\nlines'])).toBe('a,b c,3,,"d,e","say ""hi""","two\nlines"\r\n')
  })

  test('a formula behind a separator of another language, a tab or a line end starts no cell', () => {
    expect(csvLine(['a;b', 'c,d'], ';')).toBe('"a;b";c,d\r\n')
    expect(csvLine(['a,=1+1', 'b;=1', 'c\t=1', 'd\n=1'], ';')).toBe('"a,=1+1";"b;=1";"c\t=1";"d\n=1"\r\n')
    expect(csvLine(['a;=1+1', 'b,=1'])).toBe('"a;=1+1","b,=1"\r\n')
  })

  test.each(['=cmd|calc', '+1 418 555-0118', '-2', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '\u200b=1'])(
    '%j is escaped as no formula',
    (cell) => {
      expect(csvLine([cell]).replace(/^"/, '').startsWith("'")).toBe(true)
    },
  )

  test('a minus inside a text stays', () => {
    expect(csvLine(['418-555', 'a=b', 'zoe@example.com'])).toBe('418-555,a=b,zoe@example.com\r\n')
  })
})

test('escapes XML and removes characters that XML does not allow', () => {
  expect(escapeXml(`<a href="x">l'été & \u0000\u0008\uD800😀\n</a>`)).toBe(
    `&lt;a href=&quot;x&quot;&gt;l'été &amp; 😀\n&lt;/a&gt;`,
  )
})

test('a file for spreadsheets has the separator of its language, formulas as text and dates that sort', () => {
  const rows = [
    ['Nom', 'Depuis'],
    ['=1+1; Zoé', '2026-11-23 18:38'],
  ]
  expect(csvFile(rows, 'fr')).toBe('\uFEFFNom;Depuis\r\n"\'=1+1; Zoé";2026-11-23 18:38\r\n')
  expect(csvFile(rows, 'en')).toBe("\uFEFFNom,Depuis\r\n'=1+1; Zoé,2026-11-23 18:38\r\n")
})
