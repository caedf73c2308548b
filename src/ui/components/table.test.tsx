import { globSync, readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '../language.tsx'
import { Moment } from './moment.tsx'

test('a moment and a day are `time` elements that programs can read', () => {
  const markupOf = (at: string) =>
    renderToStaticMarkup(
      <LanguageProvider value="fr">
        <Moment at={at} timeZone="America/Toronto" />
      </LanguageProvider>,
    )
  expect(markupOf('2026-11-20T13:40:00Z')).toMatch(/^<time dateTime="2026-11-20T13:40:00Z"[^>]*>20 nov. 2026, 8.h.40<\/time>$/)
  expect(markupOf('2026-11-01')).toMatch(/^<time dateTime="2026-11-01"[^>]*>1er novembre 2026<\/time>$/)
})

test('no cell of a table shows a date as plain text', () => {
  const plain = globSync('src/**/*.tsx')
    .filter((file) => /<(Entry)?(Table|List)\b/.test(readFileSync(file, 'utf8')))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bcell: ?\([^)]*\) =>[^\n]*/g)]
        .filter(([cell]) => /format(DateTime|Day|Ago)\(/.test(cell) && !/<time\b/.test(cell))
        .map(([cell]) => `${file}: ${cell}`),
    )
  expect(plain).toEqual([])
})
