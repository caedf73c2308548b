import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
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

describe('the links of a message', () => {
  const html = (text: string) =>
    renderToStaticMarkup(<MessageElement side="staff" name="Mireille" text={text} sentAt="" time="" />)
  const linksOf = (text: string) => [...html(text).matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address)

  test.each([
    ['Voyez https://example.com/a?b=1#c.', ['https://example.com/a?b=1#c']],
    ['(https://example.com), « http://exemple.ca/é »', ['https://example.com', 'http://exemple.ca/é']],
    ['https://example.com/a_(b) et https://example.com/fin…', ['https://example.com/a_(b)', 'https://example.com/fin']],
    ['mailto:aide@example.com; tel:+18005550142!', ['mailto:aide@example.com', 'tel:+18005550142']],
    ['javascript:alert(1) data:text/html,x vbscript:x file:///etc/passwd ftp://example.com', []],
    ['https:// http://', []],
  ])('%s', (text, expected) => {
    expect(linksOf(text)).toEqual(expected)
  })

  test('open a new tab that knows nothing of this one, and leave the rest as text', () => {
    expect(html('<b>a</b> https://example.com/"><script>')).toContain(
      '&lt;b&gt;a&lt;/b&gt; <a href="https://example.com/" rel="noopener noreferrer nofollow" target="_blank">https://example.com/</a>&quot;&gt;&lt;script&gt;',
    )
  })
})
