import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { expect, test } from 'vitest'
import { shouldRevalidate } from './admin-notes-page.tsx'

const isReadAgain = (from: string, to: string) =>
  shouldRevalidate({
    currentUrl: new URL(`https://example.com/admin/notes${from}`),
    nextUrl: new URL(`https://example.com/admin/notes${to}`),
    defaultShouldRevalidate: true,
  } as ShouldRevalidateFunctionArgs)

test('another chosen banner or panel is read again, and a search of the list is not', () => {
  expect(isReadAgain('?bandeau=3', '')).toBe(true)
  expect(isReadAgain('?sort=date', '?sort=date&panneau=nouveau')).toBe(true)
  expect(isReadAgain('?anciens=1', '?anciens=2')).toBe(true)
  expect(isReadAgain('?bandeau=3', '?bandeau=3&q=fibre')).toBe(false)
})
