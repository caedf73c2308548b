import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { ChatMessage, QueuePlace } from '../protocol.ts'
import { PanelConversation } from './panel-conversation.tsx'
import type { SessionState, VisitorSession } from './visitor-session.ts'

const write = (seq: number, user_name: string, minute: number, bz_staff = true) =>
  ({
    id_message: seq,
    seq,
    user_name,
    bz_staff,
    message: `message ${seq}`,
    sent_at: `2026-11-23T15:${String(minute).padStart(2, '0')}:00.000Z`,
  }) as unknown as ChatMessage

function render(messages: ChatMessage[], queue: Partial<QueuePlace> | null = null) {
  const conversation = { messages, unsent: [], hasOlder: false, older: 'idle', liveFrom: 0, isLoaded: true } as const
  const session = { client: {} } as unknown as VisitorSession
  const state = { link: 'up', idChat: null, staffReadSeq: 0, queue } as unknown as SessionState
  return renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value="fr">
        <PanelConversation session={session} state={state} conversation={conversation} onLeave={() => undefined} />
      </LanguageProvider>
    </MemoryRouter>,
  )
}

test('messages of one person within five minutes are one group, with one name', () => {
  const messages = [
    write(1, 'Mireille', 0),
    write(2, 'Mireille', 4),
    write(3, 'Olivier', 5),
    write(4, 'Olivier', 11),
    write(5, 'Annie', 12, false),
    write(6, 'Annie', 13, false),
  ]
  const html = render(messages)
  const grouped = [...html.matchAll(/<li class="message \w+( grouped)?">.*?message (\d)</g)].map(([, group, seq]) => [
    seq,
    Boolean(group),
  ])
  expect(grouped).toEqual([
    ['1', false],
    ['2', true],
    ['3', false],
    ['4', false],
    ['5', false],
    ['6', true],
  ])
})

test('times are HH:mm in the visitor’s zone', () => {
  const shown = [write(1, 'Olivier', 5), { ...write(2, 'Olivier', 0), sent_at: '2026-11-23T00:07:59.999Z' }]
  expect([...render(shown).matchAll(/<time[^>]*>([^<]*)/g)].map(([, time]) => time)).toEqual(['15:05', '00:07'])
})

test.each([
  ['waits for the first technician', [], { position: 1, user_name: null }, 'Vous êtes au premier rang de la file d’attente.'],
  ['has one who has not written yet', [], { position: 0, user_name: 'Olivier' }, 'Olivier a pris votre conversation en charge.'],
  ['is answered', [write(1, 'Olivier', 0)], { position: 0, user_name: 'Olivier' }, ''],
  [
    'has lost the one who answered',
    [write(1, 'Olivier', 0)],
    { position: 1, user_name: null },
    'Olivier a dû quitter la conversation. Vous êtes au premier rang de la file d’attente.',
  ],
  [
    'has another since',
    [write(1, 'Olivier', 0), write(2, 'Annie', 1, false)],
    { position: 0, user_name: 'Mireille' },
    'Mireille a pris votre conversation en charge.',
  ],
])('a visitor who %s reads so', (_who, messages, queue, told) => {
  const html = render(messages, { expected_minutes: null, expected_wait: '', expected_wait_en: '', ...queue })
  const status = /role="status" class="min-h-8[^>]*>(.*?)<\/div>/.exec(html)?.[1]
  expect(status?.replace(/<[^>]*>/g, '').trim()).toBe(told)
})
