import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import { NotesList } from './notes-list.tsx'

const render = (element: React.ReactNode, language: 'fr' | 'en' = 'fr') =>
  renderToStaticMarkup(<LanguageProvider value={language}>{element}</LanguageProvider>)

test('notes are in the language of the page, and nothing is shown where there are none', () => {
  const shown = { publie: true, opens_on: null, closes_on: null, state: 'open' as const, created_at: '', version: 1 }
  const note = { id_note: 1, note_date: 'Lundi', note: 'Entretien', note_en: 'Maintenance', ...shown }
  expect(render(<NotesList notes={[]} title="Avis" />)).toBe('')
  const html = render(<NotesList notes={[{ ...note, english_older: {} }]} title="Notices" />, 'en')
  expect(html).toContain('Lundi')
  expect(html).toContain('Maintenance')
  expect(html).not.toContain('Entretien')
})
