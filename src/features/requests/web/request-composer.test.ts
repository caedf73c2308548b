import { expect, test } from 'vitest'
import { matchReplies } from './request-composer.tsx'

const replies = [{ shortcut: 'piece' }, { shortcut: 'Panne' }, { shortcut: 'merci' }]

test.each([
  ['/', ['piece', 'Panne', 'merci']],
  ['/p', ['piece', 'Panne']],
  ['/PAN', ['Panne']],
  ['/x', []],
])('%s at the start of a reply finds canned replies', (text, found) => {
  expect(matchReplies(text, replies)?.map(({ shortcut }) => shortcut)).toEqual(found)
})

test.each(['', 'Voir /piece', '/piece est en route', 'https://example.com/p'])('%j is a text like any other', (text) => {
  expect(matchReplies(text, replies)).toBeNull()
})
