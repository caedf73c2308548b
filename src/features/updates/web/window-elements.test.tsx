import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import type { ElementReference } from '../contract.ts'
import { nameElements, WindowElements } from './window-elements.tsx'

const networks = [
  {
    id_reseau: 1,
    nom: 'Québec',
    details: JSON.stringify([
      { nom: 'Téléphonie', nom_en: 'Telephony' },
      { nom: '', nom_en: 'Fiber' },
      { nom: ' ', nom_en: '' },
    ]),
  },
  { id_reseau: 2, nom: 'Lévis', details: '[]' },
]

function boxes(elements: ElementReference[]) {
  const html = renderToStaticMarkup(
    <LanguageProvider value="en">
      <WindowElements networks={networks} elements={elements} disabled={false} onChange={() => undefined} />
    </LanguageProvider>,
  )
  return [...html.matchAll(/<input type="checkbox"([^>]*)\/><span>([^<]*)/g)].map(
    ([, attributes = '', label = '']) =>
      `${label}${/checked/.test(attributes) ? ' x' : ''}${/disabled/.test(attributes) ? ' -' : ''}`,
  )
}

test('each component can be chosen by its name in the language, or the whole network with all of them', () => {
  expect(boxes([{ id_reseau: 1, nom: 'Téléphonie' }])).toEqual(['Whole network', 'Telephony x', 'Fiber', 'Whole network'])
  expect(boxes([{ id_reseau: 1, nom: '' }])).toEqual(['Whole network x', 'Telephony x -', 'Fiber x -', 'Whole network'])
})

test('what was chosen is in words, also what is gone since', () => {
  const chosen = [
    { id_reseau: 2, nom: '' },
    { id_reseau: 1, nom: 'Fiber' },
    { id_reseau: 1, nom: 'Ancien' },
  ]
  expect(nameElements(chosen, networks, 'fr')).toBe('Ancien (Québec), Fiber (Québec), Lévis')
})
