import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import LoginPage from './login-page.tsx'

test('asks for a name and a password, both required', () => {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={['/admin/login']}>
      <LanguageProvider value="fr">
        <LoginPage />
      </LanguageProvider>
    </MemoryRouter>,
  )
  const fields = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  expect(fields.map((tag) => /name="(\w+)"/.exec(tag)?.[1])).toEqual(['username', 'password'])
  for (const field of fields) expect(field).toMatch(/required/)
  expect(html).toContain('>Login<')
})
