import { expect, test } from 'vitest'
import { escapeXml } from './xml.ts'

test('text is fit for XML: signs are escaped, what XML does not know is left out', () => {
  expect(escapeXml(`<a href="x">l'été & \u0000\u0008\uD800😀\n</a>`)).toBe(
    `&lt;a href=&quot;x&quot;&gt;l'été &amp; 😀\n&lt;/a&gt;`,
  )
})
