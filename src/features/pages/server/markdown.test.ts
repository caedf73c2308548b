import { describe, expect, test } from 'vitest'
import { parseText, renderText } from './markdown.ts'

const render = (source: string) => renderText(parseText(source))
const head = '---\ntitle: Titre\ndescription: Description\nlead: Chapeau\n---\n'

describe('a long text', () => {
  test('has a head, a body and its sections', () => {
    const text = render(`${head}Bonjour.\n\n## 2. Où sont vos données ?\n\nIci.\n`)
    expect(text).toMatchObject({ title: 'Titre', description: 'Description', lead: 'Chapeau' })
    expect(text.sections).toEqual([{ id: 'ou-sont-vos-donnees', title: '2. Où sont vos données ?' }])
    expect(text.html).toContain('<h2 id="ou-sont-vos-donnees">2. Où sont vos données ?</h2>')
    expect(text.html).toContain('<p>Bonjour.</p>')
  })

  test('gives equal headings different places', () => {
    const { html, sections } = render(`${head}## Un\n\nA.\n\n## Un\n\nB.\n\n## Un\n\nC.\n`)
    expect(sections.map(({ id }) => id)).toEqual(['un', 'un-2', 'un-3'])
    expect(html).toContain('<h2 id="un-2">Un</h2>')
  })

  test.each(['constructor', 'toString', 'other'])('has no block %s', (kind) => {
    expect(() => render(`${head}:::${kind}\n### Un\nA.\n:::\n`)).toThrow(`unknown block :::${kind}`)
  })

  test('lays out cards, steps and questions between ordinary paragraphs', () => {
    const text = render(
      `${head}Avant.\n\n:::steps\n### Un\nA.\n\n### Deux\nB.\n:::\n\nEntre.\n\n:::questions\n### Vrai ?\nOui.\n:::\n\nAprès.\n`,
    )
    expect(text.html.match(/<li><h3/g)).toHaveLength(2)
    expect(text.html).toMatch(/<details class="panel"><summary>Vrai \?/)
    expect(text.html.replaceAll(/<[^>]+>|\s+/g, ' ')).toMatch(/Avant\..*Un.*A\..*Deux.*B\..*Entre\..*Vrai \?.*Oui\..*Après\./)
  })

  test.each([
    ['a script', '<script>alert(1)</script>\n\nBonjour', '<p>Bonjour</p>'],
    ['a handler', '<p onclick="alert(1)">Bonjour</p>', '<p>Bonjour</p>'],
    ['a link to a script', '[Bonjour](javascript:alert(1))', '<p><a>Bonjour</a></p>'],
    ['the place of something else', '<h2 id="menu">Bonjour</h2>', '<h2>Bonjour</h2>'],
    ['a frame in a block', ':::steps\n### Un <iframe src="/"></iframe>\n<img src=x onerror=alert(1)>A\n:::', 'Un </h3><p>A</p>'],
  ])('loses %s', (_what, body, html) => {
    expect(render(`${head}${body}\n`).html).toContain(html)
    expect(render(`${head}${body}\n`).html).not.toMatch(/script|onclick|onerror|iframe|menu/)
  })

  test.each([
    ['no head', 'Bonjour.', 'must begin with a head'],
    ['a head without its lead', '---\ntitle: A\ndescription: B\n---\nC', 'title, description, lead'],
    ['a head with something else', '---\ntitle: A\ndescription: B\nlead: C\nlayout: D\n---\nE', 'nothing else'],
    ['an unknown block', `${head}:::carrousel\n### A\nB\n:::\n`, 'unknown block :::carrousel'],
    ['a block without a heading', `${head}:::cards\nB\n:::\n`, 'has no ### heading'],
  ])('with %s is rejected', (_name, source, message) => {
    expect(() => render(source)).toThrow(message)
  })
})
