import { createMemoryRouter, MemoryRouter, Outlet, RouterProvider } from 'react-router'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { company } from '#company/company.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { PublicContext } from '#src/ui/page/public-context.ts'
import ContactPage, { ContactBlock } from './contact-page.tsx'

test('has three phone numbers, two email addresses and one street address', () => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value="fr">
        <ContactBlock html="<p>Ouvert</p>" />
      </LanguageProvider>
    </MemoryRouter>,
  )
  const { phones, emails, address } = company
  for (const { display } of [phones.quebec, phones.tollFree, phones.fax]) expect(html).toContain(display)
  for (const email of [emails.support, emails.telecom]) expect(html).toContain(`mailto:${email}`)
  expect(html).toContain(address.street)
})

test('shows a known outage above the form, in the language of the page', () => {
  const network: PublicContext['network'] = {
    status: 'WARNING',
    strip: { fr: '<p>Téléphonie : service dégradé</p>', en: '<p>Telephony: degraded</p>' },
  }
  const page = {
    loaderData: {
      text: { title: 'Contact', description: '', lead: '', html: '', sections: [] },
      map: { tiles: null, attribution: '' },
      hours: null,
      shownAt: null,
      clientId: null,
    },
    actionData: undefined,
  } as unknown as Parameters<typeof ContactPage>[0]
  const render = (language: 'fr' | 'en') => {
    const router = createMemoryRouter([
      {
        element: <Outlet context={{ availability: null, network } satisfies PublicContext} />,
        children: [{ path: '/', element: <ContactPage {...page} /> }],
      },
    ])
    return renderToString(
      <LanguageProvider value={language}>
        <RouterProvider router={router} />
      </LanguageProvider>,
    )
  }
  const english = render('en')
  expect(english).toContain('Telephony: degraded')
  expect(english.indexOf('Telephony: degraded')).toBeLessThan(english.indexOf('<form'))
  expect(render('fr')).toContain('Téléphonie : service dégradé')
})
