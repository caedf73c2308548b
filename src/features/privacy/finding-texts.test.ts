import { expect, test } from 'vitest'
import { languages } from '#src/lib/language/language.ts'
import { mails } from '#src/server/background/mail-table.ts'
import { storedApplicationStatuses } from '../applications/values.ts'
import { chats } from '../chat/server/table.ts'
import { subscribers } from '../networks/server/subscriber-table.ts'
import { topics } from '../networks/values.ts'
import { directions } from '../recordings/values.ts'
import { entryKinds, inboxStates, storedStatuses } from '../requests/values.ts'
import { fieldLabel, valueText } from './finding-texts.ts'

test('every code of a record has its words in both languages', () => {
  const codes: [kind: string, field: string, values: readonly string[]][] = [
    ['applications', 'status', storedApplicationStatuses],
    ['chats', 'status', chats.status.enumValues],
    ['inbox', 'state', inboxStates],
    ['mails', 'state', mails.state.enumValues],
    ['recordings', 'direction', directions],
    ['requests', 'status', storedStatuses],
    ['requests', 'language', languages],
    ['users', 'languages', languages],
    ['subscribers', 'subscription_state', subscribers.state.enumValues],
    ['subscribers', 'topics', topics],
  ]
  const unnamed = codes.flatMap(([kind, field, values]) =>
    values.filter((value) => languages.some((language) => valueText(kind, field, value, language) === value)),
  )
  expect(unnamed).toEqual([])
})

test('lists of codes are named one by one, and what is no code is shown as it is', () => {
  expect(valueText('subscribers', 'topics', 'outages, news', 'fr')).toBe('Pannes, Nouvelles')
  expect(valueText('chats', 'tags', 'new, open', 'fr')).toBe('new, open')
  expect(valueText('requests', 'message', '', 'en')).toBe('')
})

test.each(entryKinds)('a part of a thread (%s) says when, by whom and as what in words', (kind) => {
  const stored = `2026-11-28T04:55:33.944Z Zoé (Québec) (${kind})\nBonjour (customer)`
  const shown = languages.map((language) => valueText('requests', 'entry_2', stored, language))
  expect(shown[0]).toMatch(/^28 nov\w*\.? 2026.*, Zoé \(Québec\) \([\wé ]+\)\nBonjour \(customer\)$/u)
  for (const text of shown) expect(text).not.toContain('2026-11-28T')
  expect(valueText('requests', 'entry_2', 'No head (of) its own', 'en')).toBe('No head (of) its own')
})

test('parts of a thread are numbered', () => {
  expect(fieldLabel('entry_12', 'fr')).toBe('Message 12')
  expect(fieldLabel('unheard_of', 'en')).toBeNull()
})
