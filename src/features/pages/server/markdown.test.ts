import { describe, expect, test } from 'vitest'
import { renderText } from './markdown.ts'

const head = '---\ntitle: Titre\ndescription: Description\nlead: Chapeau\n---\n'

describe('a long text', () => {
  test('has a head, a body and its sections', () => {
    const text = renderText(`${head}Bonjour.\n\n## 2. Où sont vos données ?\n\nIci.\n`)
    expect(text).toMatchObject({ title: 'Titre', description: 'Description', lead: 'Chapeau' })
    expect(text.sections).toEqual([{ id: 'ou-sont-vos-donnees', title: '2. Où sont vos données ?' }])
    expect(text.html).toContain('<h2 id="ou-sont-vos-donnees">2. Où sont vos données ?</h2>')
    expect(text.html).toContain('<p>Bonjour.</p>')
  })

  test('lays out cards, steps and questions between ordinary paragraphs', () => {
    const text = renderText(
      `${head}Avant.\n\n:::steps\n### Un\nA.\n\n### Deux\nB.\n:::\n\nEntre.\n\n:::questions\n### Vrai ?\nOui.\n:::\n\nAprès.\n`,
    )
    expect(text.html.match(/<li><h3/g)).toHaveLength(2)
    expect(text.html).toMatch(/<details class="panel"><summary>Vrai \?/)
    expect(text.html.replaceAll(/<[^>]+>|\s+/g, ' ')).toMatch(/Avant\..*Un.*A\..*Deux.*B\..*Entre\..*Vrai \?.*Oui\..*Après\./)
  })

  test.each([
    ['no head', 'Bonjour.', 'must begin with a head'],
    ['a head without its lead', '---\ntitle: A\ndescription: B\n---\nC', 'title, description, lead'],
    ['a head with something else', '---\ntitle: A\ndescription: B\nlead: C\nlayout: D\n---\nE', 'nothing else'],
    ['an unknown block', `${head}:::carrousel\n### A\nB\n:::\n`, 'unknown block :::carrousel'],
    ['a block without a heading', `${head}:::cards\nB\n:::\n`, 'has no ### heading'],
  ])('with %s is rejected', (_name, source, message) => {
    expect(() => renderText(source)).toThrow(message)
  })
})
