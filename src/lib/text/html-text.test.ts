import { expect, test } from 'vitest'
import { isBlankHtml, textOfHtml } from './html-text.ts'
import { timeGrowth } from '../testing/time-growth.ts'

test('converts rich text to lines of plain text', () => {
  expect(textOfHtml('<p>Un &amp; <strong>deux</strong></p><ul><li><p>trois</p></li><li>quatre<br>cinq</li></ul>')).toBe(
    'Un & deux\ntrois\nquatre\ncinq',
  )
  expect(textOfHtml('<p>1 &lt; 2 &amp;lt;</p>')).toBe('1 < 2 &lt;')
})

test('text without visible content is blank', () => {
  for (const html of ['', '<p></p>', '<p><br></p><p>&nbsp;</p>', '<ul><li></li></ul>']) expect(isBlankHtml(html)).toBe(true)
  expect(isBlankHtml('<p>a</p>')).toBe(false)
})

test('reads hostile text in linear time', () => {
  expect(timeGrowth((size) => textOfHtml('<'.repeat(size)), 20_000)).toBeLessThan(50)
  expect(timeGrowth((size) => textOfHtml(' \n'.repeat(size)), 10_000)).toBeLessThan(50)
})
