import { describe, expect, test } from 'vitest'
import { fillReply, findToken, insertReply, matchReplies, textFor } from './canned-replies.tsx'

const reply = (shortcut: string, reply: string, reply_en = '') => ({
  id_canned: shortcut.length,
  shortcut,
  reply,
  reply_en,
  created_at: '2026-11-20T14:02:00.000Z',
  english_older: {},
  version: 1,
})
const replies = [
  reply('bonjour', 'Bonjour !', 'Hello!'),
  reply('bon-matin', 'Bon matin !'),
  reply('réseau', 'Le réseau est rétabli.'),
]

describe('a shortcut', () => {
  test.each([
    ['/bon', { from: 0, word: 'bon' }],
    ['/', { from: 0, word: '' }],
    ['Merci. /ré', { from: 7, word: 'ré' }],
    ['https://example.com', null],
    ['et/ou', null],
    ['/bonjour vous', null],
  ])('is read before the caret of « %s »', (text, found) => {
    expect(findToken(text, text.length)).toEqual(found)
  })

  test('offers what begins like it, then what speaks of it, whatever the accents', () => {
    expect(matchReplies(replies, 'bon').map((one) => one.shortcut)).toEqual(['bonjour', 'bon-matin'])
    expect(matchReplies(replies, 'RESEAU').map((one) => one.shortcut)).toEqual(['réseau'])
    expect(matchReplies(replies, 'retabli').map((one) => one.shortcut)).toEqual(['réseau'])
    expect(matchReplies(replies, 'xyz')).toEqual([])
  })

  test('gives way to the reply, in the visitor’s language or else in French', () => {
    expect(insertReply('Oui. /bon', { from: 5, word: 'bon' }, 'Bonjour !')).toEqual({ text: 'Oui. Bonjour !', caret: 14 })
    const [both, french] = replies
    expect(both && textFor('en', both)).toEqual({ text: 'Hello!', language: 'en' })
    expect(french && textFor('en', french)).toEqual({ text: 'Bon matin !', language: 'fr' })
  })
})

test('the variables of a reply are filled; one without a value stays visible', () => {
  const values = { prenom: 'Annie', technicien: 'Mireille', reference: '', heures: 'lundi au vendredi, 8 h à 17 h' }
  expect(fillReply('Bonjour {prenom}, ici {technicien}. {heures}. {reference} {autre}', values)).toBe(
    'Bonjour Annie, ici Mireille. lundi au vendredi, 8 h à 17 h. {reference} {autre}',
  )
})
