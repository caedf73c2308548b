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

test('reading hostile text takes time in proportion to its length', () => {
  const timeFor = (count: number) => {
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      textOfHtml('<'.repeat(count))
      textOfHtml(' \n'.repeat(count / 2))
      return performance.now() - start
    })
    return Math.min(...times)
  }
  timeFor(20_000)
  // Ten times as long: about 10 where the time is in proportion, about 100 where it is squared.
  expect(timeFor(200_000) / timeFor(20_000)).toBeLessThan(50)
})
