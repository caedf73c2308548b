import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { StaffChat, StaffMessage } from '../protocol.ts'
import { ConsoleConversation, LinkedText } from './console-conversation.tsx'
import type { StaffSession } from './staff-session.ts'

test.each([
  ['voyez https://example.com/a_(b).', 'https://example.com/a_(b)', 'https://example.com/a_(b)'],
  ['(voir https://example.com/a)', 'https://example.com/a', 'https://example.com/a'],
  ['(voir https://example.com/a_(b))', 'https://example.com/a_(b)', 'https://example.com/a_(b)'],
  ['appelez tel:+14185550134, merci', 'tel:+14185550134', 'tel:+14185550134'],
  ['mailto:annie@example.com!', 'mailto:annie@example.com', 'mailto:annie@example.com'],
  ['annie.roy@example.com.', 'annie.roy@example.com', 'mailto:annie.roy@example.com'],
])('in « %s » the address is a link', (text, shown, address) => {
  const html = renderToStaticMarkup(<LinkedText text={text} />)
  expect(html.match(/<a /g)).toHaveLength(1)
  expect(html).toContain(`href="${address}" target="_blank" rel="noopener noreferrer nofollow"`)
  expect(html).toContain(`>${shown}</a>`)
})

test('a telephone number is a link that dials it', () => {
  const html = renderToStaticMarkup(<LinkedText text="Au (418) 555-0123 poste 204, ou annie@example.com." />)
  expect(html).toContain('Au <a href="tel:4185550123,204" class="underline">(418) 555-0123 poste 204</a>, ou <a href="mailto:')
})

test.each(['javascript:alert(1)', 'data:text/html,x', '<a href="https://example.com">'])('« %s » becomes no markup', (text) => {
  const html = renderToStaticMarkup(<LinkedText text={text} />)
  expect(html.replaceAll(/<\/?a[^>]*>/g, '')).not.toContain('<')
  expect(html).not.toMatch(/href="(?!https:\/\/example\.com")/)
})

let ids = 0
const message = (sent_at: string, more: Partial<StaffMessage> = {}) =>
  ({
    id_message: (ids += 1),
    seq: ids,
    message: `texte ${ids}`,
    bz_staff: false,
    internal: false,
    user_name: 'Annie',
    sent_at,
    ...more,
  }) as StaffMessage

function render(messages: StaffMessage[], language: 'fr' | 'en' = 'fr') {
  const conversation = { messages, unsent: [], hasOlder: false, older: 'idle', liveFrom: 0, isLoaded: true }
  const session = { client: { conversation: () => conversation, subscribe: () => () => undefined } } as unknown as StaffSession
  const chat = {
    id: 1,
    client_name: 'Annie',
    client_business: '',
    language: 'fr',
    continues: null,
    continued_in: null,
  } as StaffChat
  return renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value={language}>
        <ConsoleConversation chat={chat} session={session} isTyping={false} answering={null} onOpen={() => undefined} />
      </LanguageProvider>
    </MemoryRouter>,
  )
}

test.each([
  ['fr', 'mercredi 18 novembre 2026', 'vendredi 20 novembre 2026'],
  ['en', 'Wednesday, November 18, 2026', 'Friday, November 20, 2026'],
] as const)('each day of a conversation is named once, with the zone of its times (%s)', (language, first, second) => {
  const days = ['2026-11-18T15:00:00Z', '2026-11-18T15:01:00Z', '2026-11-20T15:02:00Z', '2026-11-20T15:03:00Z']
  const html = render(
    days.map((day) => message(day)),
    language,
  )
  const named = [...html.matchAll(/console-day"><time[^>]*>([^<]+)</g)].map(([, text = '']) => text)
  expect(named).toEqual([expect.stringContaining(first), expect.stringContaining(second)])
  for (const text of named) expect(text).toMatch(/\(\S.*\)$/)
})

test('a long conversation makes a few formatters, not one for each message', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  render(Array.from({ length: 100 }, (_, index) => message(new Date(Date.UTC(2026, 10, 20, 12, index)).toISOString())))
  expect(made.mock.calls.length).toBeLessThan(10)
  made.mockRestore()
})

test.each([
  ['one o’clock comes twice', ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T15:00:00Z'], ['HAE', 'HNE']],
  ['two o’clock is left out', ['2026-03-08T06:59:00Z', '2026-03-08T07:01:00Z', '2026-03-08T15:00:00Z'], ['HNE', 'HAE']],
])('in the night in which %s, the zone is named again', (_night, times, zones) => {
  vi.stubEnv('TZ', 'America/Toronto')
  const html = render(times.map((time) => message(time)))
  vi.unstubAllEnvs()
  const named = [...html.matchAll(/console-day"><time[^>]*>([^<]+)</g)].map(([, text = '']) => text)
  expect(named.map((text) => text.slice(-4, -1))).toEqual(zones)
})

test('messages of one author in a row have one name and one time; a note, another author, a pause or a day begin anew', () => {
  const html = render([
    message('2026-11-20T15:00:00Z'),
    message('2026-11-20T15:01:00Z'),
    message('2026-11-20T15:01:30Z', { internal: true, bz_staff: true, user_name: 'Zoé' }),
    message('2026-11-20T15:02:00Z', { bz_staff: true, user_name: 'Zoé' }),
    message('2026-11-20T15:02:30Z', { bz_staff: true, user_name: 'Zoé' }),
    message('2026-11-20T15:03:00Z', { bz_staff: true, user_name: 'Olivier' }),
    message('2026-11-20T15:04:00Z'),
    message('2026-11-20T15:09:01Z'),
    message('2026-11-22T15:00:00Z'),
  ])
  const bubbles = [...html.matchAll(/<div class="console-bubble.*?<\/div>/g)].map(([bubble]) => bubble)
  const shows = (bubble: string) =>
    `${bubble.includes('console-meta font-bold') ? 'name' : ''} ${bubble.includes('console-meta tabular') ? 'time' : ''}`.trim()
  expect(bubbles.map(shows)).toEqual([
    'name',
    'time',
    'name time',
    'name',
    'time',
    'name time',
    'name time',
    'name time',
    'name time',
  ])
  // Who does not see the bubbles hears the name and the time of each.
  for (const bubble of bubbles) expect(bubble).toMatch(/(Annie|Zoé|Olivier)<.*<time /)
})
