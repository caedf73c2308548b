import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RobotTraps } from './request-form.tsx'

test('asks password managers to ignore hidden fields, and browsers the traps', () => {
  const html = renderToStaticMarkup(<RobotTraps withUsername clientId="1f0e" />)
  expect(html).toMatch(/^<div hidden="">/)
  const fields = html.match(/<input[^>]*>/g) ?? []
  expect(fields.map((field) => /name="(\w+)"/.exec(field)?.[1])).toEqual(['client_id', 'honey', 'username'])
  for (const field of fields)
    for (const attribute of [
      'data-1p-ignore',
      'data-bwignore',
      'data-lpignore="true"',
      'data-form-type="other"',
      'tabindex="-1"',
    ])
      expect(field).toContain(attribute)
  // Not the id: a browser that may not keep it would give another with the text that it brings back.
  expect(fields.map((field) => field.includes('autoComplete="off"') || field.includes('autocomplete="off"'))).toEqual([
    false,
    true,
    true,
  ])
})
