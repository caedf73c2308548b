import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Outlet, Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import type { Rights } from '#src/lib/rights.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { LinkedRequest } from '../contract.ts'
import { Requests } from './visitor-details.tsx'

function renderRequests(rights: Rights) {
  const linked = { id_request: 7, reference: 'AS-2026-000007', status: 'new', is_from_chat: true } as LinkedRequest
  return renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value="fr">
        <Routes>
          <Route element={<Outlet context={{ rights }} />}>
            <Route index element={<Requests requests={[linked]} />} />
          </Route>
        </Routes>
      </LanguageProvider>
    </MemoryRouter>,
  )
}

test.each(['read_only', 'read_write', 'administrator'] as const)(
  'with the right %s the visitor’s requests are links',
  (right) => {
    expect(renderRequests({ requests: right })).toContain('<a class="text-brand underline" href="/admin/demandes/7"')
  },
)

test('somebody without the right to requests is not invited to them', () => {
  const html = renderRequests({ chat: 'administrator' })
  expect(html).toContain('<span>AS-2026-000007</span>')
  expect(html).not.toMatch(/<a |demandes/)
})
