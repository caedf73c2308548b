import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { company } from '#company/company.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { OfferedFile } from '../contract.ts'
import { DownloadList } from './download-list.tsx'

const file: OfferedFile = {
  id: 'assistance',
  use: 'remote_assistance',
  platform: 'windows',
  label: { fr: 'Assistance', en: 'Assistance' },
  href: null,
  external: false,
  size: null,
  sha256: null,
}
const render = (one: OfferedFile) =>
  renderToStaticMarkup(
    <LanguageProvider value="fr">
      <DownloadList files={[one]} />
    </LanguageProvider>,
  )

test('a missing download is shown as unavailable, with the phone number instead of a link', () => {
  const missing = render(file)
  expect(missing).toContain('Ce fichier n’est pas offert en ce moment.')
  expect([...missing.matchAll(/href="([^"]+)"/g)].map(([, address]) => address)).toEqual([`tel:${company.phones.tollFree.e164}`])
  expect(render({ ...file, href: '/downloads/a.zip', size: 793 })).not.toContain('pas offert')
})
