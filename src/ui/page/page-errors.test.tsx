import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { company } from '#company/company.ts'
import { LanguageProvider } from '../language.tsx'
import { ErrorView } from './page-errors.tsx'

test.each([
  ['fr', 'Une erreur est survenue', 'Réessayer'],
  ['en', 'Something went wrong', 'Try again'],
] as const)('a failed page shows an error and offers to retry (%s)', (language, title, retry) => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value={language}>
        <ErrorView error={new Error('select * from secrets')} />
      </LanguageProvider>
    </MemoryRouter>,
  )
  expect(html).toContain(title)
  expect(html).toContain(retry)
  expect(html).toContain(language === 'fr' ? 'href="/"' : 'href="/?lang=en"')
  expect(html).toContain(`href="tel:${company.phones.tollFree.e164}"`)
  expect(html).not.toContain('secrets')
})
