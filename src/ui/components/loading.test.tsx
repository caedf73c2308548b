import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '../language.tsx'
import { LoadingOverlay } from './loading-overlay.tsx'
import { Loading } from './loading.tsx'

const render = (element: React.ReactNode) => renderToStaticMarkup(<LanguageProvider value="fr">{element}</LanguageProvider>)

test('what is awaited is said and turns', () => {
  expect(render(<Loading />)).toMatch(/role="status".*spinner.*Chargement…/)
})

test('what a call is changing is covered, for as long as it lasts', () => {
  const busy = render(<LoadingOverlay busy>Liste</LoadingOverlay>)
  expect(busy).toMatch(/aria-busy="true".*Liste.*class="overlay".*role="status"/)
  expect(render(<LoadingOverlay busy={false}>Liste</LoadingOverlay>)).not.toContain('overlay')
})
