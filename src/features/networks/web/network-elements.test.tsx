import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import { isKept, NetworkElements, newElement } from './network-elements.tsx'

test('a row has two names, three signs of which one is set, and Effacer', () => {
  const html = renderToStaticMarkup(
    <LanguageProvider value="fr">
      <NetworkElements details={[{ nom: 'Voix', nom_en: 'Voice', statut: 'WARNING' }]} onChange={() => undefined} />
    </LanguageProvider>,
  )
  expect(html).toMatch(/aria-label="Nom français, Voix"[^>]*value="Voix"/)
  expect(html).toMatch(/aria-label="Nom anglais, Voix"[^>]*value="Voice"/)
  expect([...html.matchAll(/aria-pressed="(\w+)"/g)].map(([, pressed]) => pressed)).toEqual(['false', 'true', 'false'])
  expect(html).toContain('>Effacer<')
  expect(html).toContain('Ajouter')
})

test('a row that is added begins as OK', () => {
  expect(newElement).toEqual({ nom: '', nom_en: '', statut: 'OK' })
})

test.each([
  ['added and left as it was', newElement, false],
  ['without a name, set to an error', { ...newElement, statut: 'ERROR' }, true],
  ['with an English name only', { ...newElement, nom_en: 'Voice' }, true],
] as const)('of the rows, one %s', (_row, detail, kept) => {
  expect(isKept(detail)).toBe(kept)
})
