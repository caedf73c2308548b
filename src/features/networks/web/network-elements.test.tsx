import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { Network } from '../contract.ts'
import type { NetworkStatus } from '../values.ts'
import { NetworkState } from './admin-networks-page.tsx'
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

test('a network in the list says which of its components do not work, and is never green above them', () => {
  const describe = (status: Network['status'], ...details: NetworkStatus[]) => {
    const network = {
      id_reseau: 1,
      nom: 'A',
      status,
      details: JSON.stringify(details.map((statut) => ({ nom: statut, statut }))),
    }
    const html = renderToStaticMarkup(
      <LanguageProvider value="fr">
        <NetworkState network={network as Network} />
      </LanguageProvider>,
    )
    return [html.replaceAll(/<[^>]*>/g, ''), html.includes('text-ok')]
  }
  expect(describe('ONLINE', 'OK', 'OK')).toEqual(['EN LIGNE', true])
  expect(describe('ONLINE', 'WARNING', 'OK')).toEqual(['EN LIGNE, 1 élément dégradé', false])
  expect(describe('ONLINE', 'WARNING', 'ERROR', 'ERROR')).toEqual(['EN LIGNE, 2 éléments en panne', false])
  expect(describe('', 'ERROR')).toEqual(['Non indiqué, 1 élément en panne', false])
  expect(describe('OFFLINE', 'OK')).toEqual(['HORS LIGNE', false])
})
