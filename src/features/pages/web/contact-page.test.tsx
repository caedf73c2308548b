import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { company } from '#company/company.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import { ContactBlock } from './contact-page.tsx'

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
