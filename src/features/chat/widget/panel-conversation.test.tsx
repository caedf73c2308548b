import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { ChatMessage } from '../protocol.ts'
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

test('messages of one person within five minutes are one group, with one name', () => {
  const messages = [
    write(1, 'Mireille', 0),
    write(2, 'Mireille', 4),
    write(3, 'Olivier', 5),
    write(4, 'Olivier', 11),
    write(5, 'Annie', 12, false),
    write(6, 'Annie', 13, false),
  ]
  const conversation = { messages, unsent: [], hasOlder: false, older: 'idle', liveFrom: 0, isLoaded: true }
  const session = { client: { subscribe: () => () => undefined, conversation: () => conversation } } as unknown as VisitorSession
  const state = { link: 'up', idChat: null, staffReadSeq: 0 } as unknown as SessionState
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value="fr">
        <PanelConversation session={session} state={state} onLeave={() => undefined} />
      </LanguageProvider>
    </MemoryRouter>,
  )
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
