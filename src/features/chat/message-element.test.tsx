import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MessageElement } from './message-element.ts'

const styles = readFileSync('src/features/chat/widget/chat.css', 'utf8')

test.each([
  ['staff', 'flex-start'],
  ['visitor', 'flex-end'],
])('stands on the left where the staff said it, on the right where the visitor did (%s)', (side, place) => {
  const message = <MessageElement side={side} name="Zoé" text="Bonjour <b>" sentAt="2026-11-20T19:05:00.000Z" time="14:05" />
  const html = renderToStaticMarkup(message)
  expect(html).toContain(`<li class="message ${side}">`)
  expect(html).toContain('Bonjour &lt;b&gt;')
  expect(styles).toMatch(new RegExp(String.raw`\.${side} \{\s*align-self: ${place};`))
})
