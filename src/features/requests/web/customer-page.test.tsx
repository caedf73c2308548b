import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { CustomerPage } from '../contract.ts'
import { Ticket } from './customer-page.tsx'

const done: Extract<CustomerPage, { state: 'open' }> = {
  state: 'open',
  reference: 'AS-2026-000001',
  language: 'fr',
  subject: 'Imprimante',
  status: 'done',
  created_at: '2026-01-05T15:00:00.000Z',
  taken_at: null,
  done_at: '2026-01-06T15:00:00.000Z',
  assignee: null,
  incident: { number: '2026-1', title: 'Panne', title_en: '' } as never,
  reopens: true,
  continues: null,
  continued_by: null,
  client_id: crypto.randomUUID(),
  entries: [],
}

function render(language: Language, page: Partial<typeof done>) {
  const ticket = <Ticket page={{ ...done, ...page }} action="/suivi/a" notice={null} />
  const router = createMemoryRouter([{ path: '*', element: <LanguageProvider value={language}>{ticket}</LanguageProvider> }])
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

test.each([
  ['fr', 'Un nouveau message la rouvre.', 'Un nouveau message en ouvre une autre.', 'Suite de la demande'],
  ['en', 'A new message reopens it.', 'A new message opens another one.', 'Follows request'],
] as const)('says what a message leads to, and leads to what followed (%s)', (language, reopens, begins, follows) => {
  expect(render(language, {})).toContain(reopens)
  const next = { reference: 'AS-2026-000002', path: '/suivi/bbbbbbbbbbbbbbbbbbbbbb' }
  const late = render(language, { reopens: false, continued_by: next })
  expect(late).not.toContain(reopens)
  expect(late).toContain(begins)
  expect(late).toMatch(/href="\/suivi\/b{22}[^>]*>[^<]*AS-2026-000002/)
  expect(render(language, { reference: 'AS-2026-000002', continues: 'AS-2026-000001' })).toContain(`${follows} AS-2026-000001`)
})
