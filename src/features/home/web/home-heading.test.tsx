import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Language } from '#src/lib/language/language.ts'
import { LanguageProvider } from '#src/ui/language.tsx'
import { HomeHeading, shownOfBanner, shownOfPanel } from './home-heading.tsx'

const stored = { publie: true, opens_on: null, closes_on: null, state: 'open', english_older: {}, version: 1 } as const
const bannerOf = (texts: object) => ({
  ...stored,
  id_home_message: 1,
  title: '',
  title_en: '',
  message: '',
  message_en: '',
  ...texts,
})
const panelOf = (texts: object) => ({
  ...stored,
  id_home_information: 1,
  title: '',
  title_en: '',
  description: '',
  description_en: '',
  ...texts,
})

const lamp = (shown: Parameters<typeof HomeHeading>[0]['shown'], language: Language) =>
  renderToStaticMarkup(
    <LanguageProvider value={language}>
      <HomeHeading id="home-message" title="" hint="" shown={shown} />
    </LanguageProvider>,
  ).replaceAll('\u00a0', ' ')

describe('the lamp says what each language shows', () => {
  test('of the banner', () => {
    const french = { message: '<p>Panne</p>' }
    expect(shownOfBanner(bannerOf({ ...french, message_en: '<p>Outage</p>' }), true)).toBe('shown')
    expect(shownOfBanner(bannerOf(french), true)).toBe('shownInFrench')
    expect(shownOfBanner(bannerOf({ ...french, title: 'Fibre', message_en: '<p>Outage</p>' }), true)).toBe('shownInFrench')
    expect(shownOfBanner(bannerOf(french), false)).toBe('notShown')
    expect(shownOfBanner(null, false)).toBe('notShown')
    expect(shownOfBanner(bannerOf({ message_en: '<p>Outage</p>' }), false)).toBe('noFrenchText')
    expect(shownOfBanner(bannerOf({ ...french, title_en: 'Fiber' }), false)).toBe('noFrenchTitle')
  })

  test('of the information panel', () => {
    const french = { title: 'Horaire', description: '<p>Fermé</p>' }
    expect(shownOfPanel(panelOf({ ...french, title_en: 'Hours', description_en: '<p>Closed</p>' }), true)).toBe('shown')
    expect(shownOfPanel(panelOf({ title: 'Horaire', title_en: 'Hours' }), true)).toBe('shown')
    expect(shownOfPanel(panelOf({ ...french, title_en: 'Hours' }), true)).toBe('shownInFrench')
    expect(shownOfPanel(panelOf({ title: 'Horaire', description_en: '<p>Closed</p>' }), false)).toBe('noFrenchText')
    expect(shownOfPanel(panelOf({ title_en: 'Hours' }), false)).toBe('noFrenchTitle')
    expect(shownOfPanel(null, false)).toBe('notShown')
  })

  test.each([
    ['fr', 'Publié en français et en anglais', 'Non publié, ni en français ni en anglais; il manque un texte en français'],
    ['en', 'Published in French and in English', 'Not published in French or in English: it has no French text'],
  ] as const)('in words (%s)', (language, both, neither) => {
    expect(lamp('shown', language)).toContain(both)
    expect(lamp('noFrenchText', language)).toContain(neither)
    expect(lamp('noFrenchText', language)).toContain('lamp-off')
    expect(lamp('shownInFrench', language)).not.toContain('lamp-off')
  })
})
