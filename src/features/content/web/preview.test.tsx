import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LanguageProvider } from '#src/ui/language.tsx'
import { missingEnglishOf, PreviewPair } from './preview.tsx'

const fields = [
  { key: 'titre', label: 'Titre' },
  { key: 'titre_en', label: 'Titre (Anglais)' },
  { key: 'texte', label: 'Texte' },
  { key: 'texte_en', label: 'Texte (Anglais)' },
  { key: 'courriel', label: 'Courriel' },
  { key: 'mots_cles', label: 'Mots-clés', isUnseen: true },
  { key: 'mots_cles_en', label: 'Mots-clés (Anglais)' },
] as const

const render = (missing: string[]) =>
  renderToStaticMarkup(
    <LanguageProvider value="fr">
      <PreviewPair missing={missing}>{() => 'texte'}</PreviewPair>
    </LanguageProvider>,
  )

test('a text falls back to French where it has French and no English', () => {
  const hidden = { mots_cles: 'soudage', mots_cles_en: '' }
  const values = {
    titre: 'Soudeuse',
    titre_en: ' ',
    texte: '<p>Oui</p>',
    texte_en: '<p>Yes</p>',
    courriel: 'a@example.com',
    ...hidden,
  }
  expect(missingEnglishOf(values, fields)).toEqual(['Titre'])
  expect(missingEnglishOf({ ...values, titre: '', texte_en: '<p></p>' }, fields)).toEqual(['Texte'])
})

test('a preview names what the English page shows in French', () => {
  expect(render(['Titre'])).toContain('Affiché en français\u00a0: Titre.')
  expect(render([])).not.toContain('Affiché en français')
})
