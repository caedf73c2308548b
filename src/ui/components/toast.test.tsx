import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { LanguageProvider } from '../language.tsx'
import { hideSavedNotice, SavedNotice, showSavedNotice } from './toast.tsx'

const markupAt = (path: string) =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <LanguageProvider value="fr">
        <SavedNotice />
      </LanguageProvider>
    </MemoryRouter>,
  )
afterEach(() => hideSavedNotice())

test('the notice of a save leads to what was saved, but not from the page of that entry', () => {
  showSavedNotice('created', { entry: { name: 'Technicienne réseau', path: '/admin/emploi_edit/3' } })
  expect(markupAt('/admin/emplois')).toMatch(
    /Créé avec succès.*href="\/admin\/emploi_edit\/3[^>]*>Ouvrir «.Technicienne réseau.»/,
  )
  expect(markupAt('/admin/emploi_edit/3')).not.toContain('href')
  showSavedNotice('saved')
  expect(markupAt('/admin/emplois')).not.toContain('href')
})
