import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '../language.tsx'
import { LoadingOverlay, Loading } from './loading.tsx'

const render = (element: React.ReactNode) => renderToStaticMarkup(<LanguageProvider value="fr">{element}</LanguageProvider>)

test('a spinner has a text', () => {
  expect(render(<Loading />)).toMatch(/role="status".*spinner.*Chargement…/)
})

test('an overlay covers content while a call changes it', () => {
  const busy = render(<LoadingOverlay busy>Liste</LoadingOverlay>)
  expect(busy).toMatch(/aria-busy="true".*Liste.*class="overlay".*role="status"/)
  expect(render(<LoadingOverlay busy={false}>Liste</LoadingOverlay>)).not.toContain('overlay')
})
