import { getSchema } from '@tiptap/core'
import { expect, test } from 'vitest'
import { extensions, toStored } from './html.ts'

test('a no-break space counts as one character, and empty paragraphs at the ends go', () => {
  expect(toStored('<p>&nbsp;</p><p>8&nbsp;h</p><p><br></p>')).toBe('<p>8\u00a0h</p>')
})

test('a cell holds a picture of the product', () => {
  const schema = getSchema(extensions)
  const picture = schema.node('picture', { src: '/pictures/1', width: '2', height: '1' })
  const cell = schema.node('tableCell', null, [picture])
  const row = schema.node('tableRow', null, [cell])
  expect(() => schema.node('table', null, [row]).check()).not.toThrow()
})
