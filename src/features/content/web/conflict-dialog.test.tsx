import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { VersionedEntry } from '../versions/web/entry-versions.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'

const render = (entry: VersionedEntry | null | undefined) =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={['/admin/notes']}>
      <LanguageProvider value="fr">
        <ConflictDialog
          entry={entry}
          base={{ title: 'Avis' }}
          theirs={{ title: 'Panne' }}
          mine={{ title: 'Reprise' }}
          merged={null}
          change={{ at: '2026-11-20T13:40:00.000Z', name: 'Mireille' }}
          fields={[{ key: 'title', label: 'Titre' }]}
          onLoadSavedVersion={() => {}}
          onKeepOwnChanges={() => {}}
          onPostpone={() => {}}
        />
      </LanguageProvider>
    </MemoryRouter>,
  )

test('a conflict says that both versions stay, also where the page edits several entries', () => {
  const kept = 'Les deux versions resteront dans le journal d’audit.'
  expect(render({ area: 'home', entry: 'home_message/3' })).toContain(kept)
  // A new entry, and a page of none, have no versions.
  expect(render(null)).not.toContain(kept)
  expect(render(undefined)).not.toContain(kept)
})
