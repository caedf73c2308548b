import { expect, test } from 'vitest'
import { isBlankHtml, textOfHtml } from './html-text.ts'

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

test('reading takes no longer for hostile text', () => {
  const start = performance.now()
  textOfHtml('<'.repeat(50_000))
  textOfHtml(' \n'.repeat(25_000))
  expect(performance.now() - start).toBeLessThan(200)
})
