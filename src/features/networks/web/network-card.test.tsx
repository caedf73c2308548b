import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NotesList } from '#src/features/notes/web/notes-list.tsx'
import { LanguageProvider } from '#src/ui/language.tsx'
import { detailStatuses } from '../values.ts'
import { NetworkCard } from './network-card.tsx'

const render = (element: React.ReactNode, language: 'fr' | 'en' = 'fr') =>
  renderToStaticMarkup(<LanguageProvider value={language}>{element}</LanguageProvider>)

const network = { id_reseau: 1, nom: 'Québec', version: 1, english_older: {} }
const details = JSON.stringify([
  { nom: 'Courriel', nom_en: 'E-mail', statut: 'WARNING' },
  { nom: 'Voix', nom_en: 'Voice', statut: 'OK' },
])

test('a network has a row an element, with three icons of which one alone is coloured', () => {
  const html = render(<NetworkCard network={{ ...network, status: 'ONLINE', details }} />)
  const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)]
  expect(rows.map(([, name]) => name)).toEqual(['Courriel', 'Voix'])
  for (const [, , cells = ''] of rows) {
    expect(cells.match(/<svg/g)).toHaveLength(detailStatuses.length)
    expect(cells.match(/text-line/g)).toHaveLength(detailStatuses.length - 1)
  }
  expect(rows[0]?.[2]).toMatch(/text-warn[^>]*aria-label="Avertissement"/)
  expect(render(<NetworkCard network={{ ...network, status: 'ONLINE', details }} />, 'en')).toContain('E-mail')
})

test('a network that is off line looks otherwise', () => {
  const on = render(<NetworkCard network={{ ...network, status: 'ONLINE', details: '[]' }} />)
  const off = render(<NetworkCard network={{ ...network, status: 'OFFLINE', details: '[]' }} />)
  expect(on).toContain('EN LIGNE')
  expect(on).not.toContain('border-err')
  expect(off).toContain('HORS LIGNE')
  expect(off).toContain('border-err')
})

test('notes are in the language of the page, and nothing is shown where there are none', () => {
  const note = { id_note: 1, note_date: 'Lundi', note: 'Entretien', note_en: 'Maintenance', created_at: '', version: 1 }
  expect(render(<NotesList notes={[]} title="Avis" />)).toBe('')
  const html = render(<NotesList notes={[{ ...note, english_older: {} }]} title="Notices" />, 'en')
  expect(html).toContain('Lundi')
  expect(html).toContain('Maintenance')
  expect(html).not.toContain('Entretien')
})
