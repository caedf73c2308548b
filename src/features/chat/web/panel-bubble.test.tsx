import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Bubble } from './panel-bubble.tsx'

const styles = readFileSync('src/features/chat/web/chat.css', 'utf8')

test.each([
  [true, 'chat-bubble-staff', 'flex-start'],
  [false, 'chat-bubble-own', 'flex-end'],
])('stands on the left where the staff said it, on the right where the visitor did (%s)', (isStaff, name, side) => {
  const html = renderToStaticMarkup(
    <Bubble isStaff={isStaff} name="Zoé" text="Bonjour <b>">
      14:05
    </Bubble>,
  )
  expect(html).toContain(name)
  expect(html).toContain('Bonjour &lt;b&gt;')
  expect(styles).toMatch(new RegExp(String.raw`\.${name} \{\s*align-self: ${side};`))
})
