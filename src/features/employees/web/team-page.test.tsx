import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { Employee } from '../contract.ts'
import { FeaturedEmployee } from './team-page.tsx'

const employee: Employee = {
  id_employe: 3,
  nom: 'Zoé Lavallée',
  departement: 'TECHNICIENS',
  sousdepartement: 'TELECOM',
  titre: 'Technicienne',
  titre_en: 'Technician',
  email: 'zoe@example.com',
  description: 'Elle range les câbles.',
  description_en: 'She tidies the cables.',
  photo: null,
  english_older: {},
  version: 1,
}

const render = (language: Language) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value={language}>
        <FeaturedEmployee employee={employee} />
      </LanguageProvider>
    </MemoryRouter>,
  )

test('the featured person is thanked and described in the language of the page alone', () => {
  const french = render('fr')
  expect(french).toMatch(/merci à Zoé Lavallée/)
  expect(french).toContain('Elle range les câbles.')
  expect(french).not.toMatch(/She tidies|Technician</)
  const english = render('en')
  expect(english).toMatch(/Zoé Lavallée/)
  expect(english).toContain('She tidies the cables.')
  expect(english).toContain('Technician<')
  expect(english).not.toMatch(/Elle range|Technicienne/)
})
