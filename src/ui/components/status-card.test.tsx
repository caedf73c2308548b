import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '../language.tsx'
import { StatusCard } from './status-card.tsx'

const render = (status: 'success' | 'error' | null) =>
  renderToStaticMarkup(
    <LanguageProvider value="fr">
      <StatusCard status={status}>Texte</StatusCard>
    </LanguageProvider>,
  )

test('a success is on a green card, a failure on an error card, each with its icon; otherwise the live region is empty', () => {
  expect(render('success')).toMatch(/role="status".*class="[^"]*bg-ok-soft.*<svg.*Texte/)
  expect(render('error')).toMatch(/role="status".*class="[^"]*bg-err-soft.*<svg.*Texte/)
  expect(render('success').match(/<svg.*<\/svg>/)?.[0]).not.toBe(render('error').match(/<svg.*<\/svg>/)?.[0])
  expect(render(null)).toBe('<div role="status"></div>')
})
