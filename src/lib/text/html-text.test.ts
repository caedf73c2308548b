import { expect, test } from 'vitest'
import { isBlankHtml, textOfHtml } from './html-text.ts'
import { timeGrowth } from '../testing/time-growth.ts'

test('rich text reads as lines of words', () => {
  expect(textOfHtml('<p>Un &amp; <strong>deux</strong></p><ul><li><p>trois</p></li><li>quatre<br>cinq</li></ul>')).toBe(
    'Un & deux\ntrois\nquatre\ncinq',
  )
  expect(textOfHtml('<p>1 &lt; 2 &amp;lt;</p>')).toBe('1 < 2 &lt;')
})

test('what shows nothing is blank', () => {
  for (const html of ['', '<p></p>', '<p><br></p><p>&nbsp;</p>', '<ul><li></li></ul>']) expect(isBlankHtml(html)).toBe(true)
  expect(isBlankHtml('<p>a</p>')).toBe(false)
})

test('reading hostile text takes time in proportion to its length', () => {
  expect(timeGrowth((size) => textOfHtml('<'.repeat(size)), 20_000)).toBeLessThan(50)
  expect(timeGrowth((size) => textOfHtml(' \n'.repeat(size)), 10_000)).toBeLessThan(50)
})
