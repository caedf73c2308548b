import { expect, test } from 'vitest'
import { mixSuggestions, suggestReplies } from './suggest-replies.ts'

const reply = (shortcut: string, text: string, english = '') => ({
  id_canned: shortcut.length,
  shortcut,
  reply: text,
  reply_en: english,
  created_at: '2026-11-20T14:02:00.000Z',
  english_older: {},
  version: 1,
})
const replies = [
  reply('bonjour', 'Bonjour {prenom}! Comment puis-je vous aider?', 'Hello {prenom}! How can I help you?'),
  reply('panne', 'C’est la panne connue de téléphonie. La réparation est en cours.', 'This is the known telephony outage.'),
  reply('imprimante', 'Éteignez l’imprimante, attendez, puis rallumez-la.', 'Turn the printer off and on again.'),
  reply('cellulaire', 'Je renvoie vos postes vers un cellulaire pendant la réparation.', ''),
]
const suggest = (draft: string, asked = '') => suggestReplies(replies, { draft, asked }).map(({ shortcut }) => shortcut)

test.each([
  ['what is being written', 'C’est la PANNE de telephonie', '', ['panne']],
  ['what the visitor asked', '', 'Mon imprimante est hors ligne', ['imprimante']],
  ['another form of the word', '', 'Je n’arrive plus à imprimer', ['imprimante']],
  ['the visitor’s language', '', 'The printer is offline', ['imprimante']],
  [
    'two at most, the one with the rarest words first',
    'panne, réparation, cellulaire, postes',
    'imprimante',
    ['cellulaire', 'panne'],
  ],
  ['nothing by greetings and small words', 'Bonjour, comment puis-je vous aider avec cela', 'Merci, bonjour', []],
  ['nothing without a word', '', '', []],
  ['no reply that stands in the field', 'Éteignez l’imprimante, attendez, puis rallumez-la. Et', 'imprimante', []],
])('saved replies are suggested by %s', (_what, draft, asked, found) => {
  expect(suggest(draft, asked)).toEqual(found)
})

test.each([
  [
    ['r1', 'r2'],
    ['a1', 'a2'],
    ['r1', 'a1'],
  ],
  [['r1', 'r2'], [], ['r1', 'r2']],
  [['r1'], ['a1', 'a2'], ['r1', 'a1']],
  [[], ['a1', 'a2'], ['a1', 'a2']],
])('of the replies %j and the articles %j are suggested %j', (replies, articles, suggested) => {
  expect(mixSuggestions(replies, articles)).toEqual(suggested)
})
