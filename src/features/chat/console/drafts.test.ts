import { expect, test, vi } from 'vitest'
import { createDrafts } from './drafts.ts'

function createStorage() {
  const entries = new Map<string, string>()
  return {
    read: (key: string) => entries.get(key) ?? null,
    write: (key: string, value: string | null) => void (value === null ? entries.delete(key) : entries.set(key, value)),
  }
}

test('an answer and a note of one conversation are two texts, for each conversation and person', () => {
  const storage = createStorage()
  const drafts = createDrafts(7, storage)
  drafts.write(1, 'note', 'Il n’a pas payé depuis octobre')
  drafts.write(1, 'answer', 'Bonjour,\nje regarde')
  expect([drafts.read(1, 'note'), drafts.read(1, 'answer')]).toEqual(['Il n’a pas payé depuis octobre', 'Bonjour,\nje regarde'])
  expect([drafts.read(2, 'note'), drafts.read(2, 'answer'), drafts.has(2)]).toEqual(['', '', false])
  drafts.write(1, 'answer', '')
  expect([drafts.read(1, 'note'), drafts.has(1)]).toEqual(['Il n’a pas payé depuis octobre', true])
  expect([createDrafts(8, storage).has(1), createDrafts(7, storage).has(1)]).toEqual([false, true])
})

test('a draft is stored for seven days', () => {
  vi.useFakeTimers()
  const drafts = createDrafts(7, createStorage())
  drafts.write(1, 'answer', 'Bonjour')
  vi.advanceTimersByTime(7 * 86_400_000 - 1)
  expect(drafts.read(1, 'answer')).toBe('Bonjour')
  vi.advanceTimersByTime(1)
  expect(drafts.read(1, 'answer')).toBe('')
  vi.useRealTimers()
})

test('what was written while a text left stays, and what comes back stands before it', () => {
  const drafts = createDrafts(7, createStorage())
  drafts.write(1, 'answer', 'Bonjour et merci')
  drafts.remove(1, 'answer', 'Bonjour')
  expect(drafts.read(1, 'answer')).toBe('et merci')
  drafts.putBack(1, ['un', 'deux'])
  expect(drafts.read(1, 'answer')).toBe('un\ndeux\net merci')
})
