import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { Employee } from '../contract.ts'
import { EmployeeCard, FeaturedEmployee, TeamTiles } from './team-page.tsx'

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
  publie: true,
  photo: null,
  english_older: {},
  version: 1,
}

const render = (language: Language, element: ReactNode = <FeaturedEmployee employee={employee} />) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <LanguageProvider value={language}>{element}</LanguageProvider>
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

test('a card names the department, and each tile is in sentence case with its number of people', () => {
  const card = <EmployeeCard employee={employee} eager={false} />
  expect(render('fr', card)).toContain('>Équipe TI</span>')
  expect(render('en', card)).toContain('>IT team</span>')
  const words = render('fr', <TeamTiles current={null} counts={[7, 1, 0, 1, 1, 3, 1, 1]} />).replaceAll(/<[^>]+>/g, '|')
  expect(words.split(/\|+/).filter(Boolean)).toEqual(
    'Tous |7|Administration |1|Directeur |0|Programmation |1|Service à la clientèle (SAC) |1|Équipe TI |3|Ventes |1|Telecom |1'.split(
      '|',
    ),
  )
})
