import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages } from '#src/lib/language/language.ts'
import { pageTextNames, textNames, tutorialTextNames } from '../contract.ts'
import { features } from '#src/app/features.ts'
import { readTexts, renderSource, withCurrentValues } from './texts.ts'

const publicPaths = features.flatMap(({ publicPaths = [] }) => publicPaths)

const texts = readTexts()
const services = ['cloud', 'service', 'programmation', 'infrastructure'] as const

const plain = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', '’')
    .replaceAll(/[ \t\n]+/g, ' ')
const count = (html: string, pattern: RegExp) => html.match(pattern)?.length ?? 0
const everyText = languages.flatMap((language) => textNames.map((name) => ({ language, name, text: texts.find(name, language) })))

describe('the company’s long texts', () => {
  test.each(everyText)('$name has one full stop at the end of each sentence ($language)', ({ text }) => {
    expect(`${text.description} ${text.lead} ${plain(text.html)}`).not.toContain('..')
  })

  test.each(pageTextNames)('%s has the same structure in both languages', (name) => {
    const [french, english] = languages.map((language) => texts.find(name, language))
    expect([french?.language, english?.language]).toEqual(['fr', 'en'])
    expect(french?.title).not.toBe('')
    const shape = (html = '') => [/<h2/g, /<h3/g, /<details/g, /<li>/g, /<tr>/g].map((pattern) => [pattern, count(html, pattern)])
    expect(shape(english?.html)).toEqual(shape(french?.html))
  })

  test.each(tutorialTextNames)('%s is in French in both languages, with its steps', (name) => {
    expect(texts.find(name, 'en')).toBe(texts.find(name, 'fr'))
    expect(texts.find(name, 'en').language).toBe('fr')
    expect(count(texts.find(name, 'fr').html, /<li><h3/g)).toBeGreaterThanOrEqual(3)
  })

  test.each(services)('%s has several hundred words and answers questions', (name) => {
    for (const language of languages) {
      const { html } = texts.find(name, language)
      expect(plain(html).split(' ').length).toBeGreaterThan(500)
      expect(count(html, /<details/g)).toBeGreaterThanOrEqual(5)
    }
  })

  test.each(everyText)('$language/$name follows the typography of its language', ({ text }) => {
    expect(text.description.length).toBeLessThanOrEqual(170)
    const words = [text.title, text.description, text.lead, plain(text.html)].join(' ')
    const untidy = text.language === 'fr' ? /'|\{\w+\}|:::|\s[;!?]| [:»%$]|« / : /'|\{\w+\}|:::/
    expect(words).not.toMatch(untidy)
  })

  test('the policy names encrypted backups only where they are', () => {
    const measures = (language: Language, hasEncryptedBackups: boolean) =>
      plain(withCurrentValues(texts.find('privacy', language), { week: [], hasEncryptedBackups }).html)
    expect(measures('fr', true)).toContain(' chiffrement des échanges et des copies de sécurité; ')
    expect(measures('fr', false)).toContain(' chiffrement des échanges; ')
    expect(measures('en', true)).toContain(' encryption of exchanges and backups; ')
    expect(measures('en', false)).toContain(' encryption of exchanges; ')
  })

  test('link only to pages that exist', () => {
    const known = new Set(publicPaths)
    const links = everyText.flatMap(({ text }) => [...text.html.matchAll(/href="(\/[^"#]*)/g)].map(([, path]) => path ?? ''))
    expect(links.filter((path) => !known.has(path))).toEqual([])
  })
})

describe('the privacy policy', () => {
  const titles: Record<Language, RegExp[]> = {
    fr: [
      /Contexte/,
      /Responsabilité/,
      /Fins/,
      /Consentement/,
      /Collecte/,
      /Utilisation/,
      /Exactitude/,
      /sécurité/,
      /Transparence/,
      /Accès/,
      /Plaintes/,
      /Mise à jour/,
    ],
    en: [
      /Context/,
      /Responsibility/,
      /Purposes/,
      /Consent/,
      /Collection/,
      /Use/,
      /Accuracy/,
      /Security/,
      /Transparency/,
      /Access/,
      /Complaints/,
      /Updates/,
    ],
  }

  test.each(languages)('has its twelve numbered sections in order (%s)', (language) => {
    const { sections } = texts.find('privacy', language)
    expect(sections).toHaveLength(12)
    for (const [index, section] of sections.entries()) {
      expect(section.title).toMatch(new RegExp(`^${index + 1}\\. `))
      expect(section.title).toMatch(titles[language][index] ?? /never/)
    }
  })

  test.each(languages)('names the officer, the body that hears complaints, the delays and the date (%s)', (language) => {
    const words = plain(texts.find('privacy', language).html).replaceAll('\u00a0', ' ')
    expect(words).toContain(company.people.privacyOfficer.name)
    expect(words).toContain(company.people.privacyOfficer.email)
    expect(words).toContain('Commission d’accès à l’information du Québec')
    expect(words).toMatch(language === 'fr' ? /dans les 30 jours/ : /within 30 days/)
    expect(words).toMatch(language === 'fr' ? /tous les trois ans/ : /every three years/)
    expect(words).toMatch(language === 'fr' ? /Dernière mise à jour : 1er juin 2023/ : /Last updated: June 1, 2023/)
    expect(words).toContain(`12 ${language === 'fr' ? 'mois' : 'months'}`)
  })

  test.each(languages)('promises of the policy only what the product does (%s)', (language) => {
    const words = plain(texts.find('privacy', language).html).replaceAll('\u00a0', ' ')
    expect(words).not.toMatch(/Rien n’est conservé avant|Nothing is kept before|et des sauvegardes;|exchanges and backups/)
    expect(words).toMatch(language === 'fr' ? /empreinte de votre adresse IP/ : /fingerprint of your IP address/)
    expect(words).toMatch(language === 'fr' ? /effacé 24 heures après votre départ/ : /deleted 24 hours after you leave/)
  })
})

describe('a value of the company', () => {
  const read = (facts: Partial<typeof company>) => {
    const former = { ...company }
    Object.assign(company, facts)
    try {
      return readTexts().find('privacy', 'fr')
    } finally {
      Object.assign(company, former)
    }
  }

  test('is text in a page, never markup', () => {
    const legalName = 'A <b>B</b> *C* & _D_ `E` [F](/g) \\| ~~G~~ &lt; inc.'
    const { html } = read({ legalName })
    expect(html).toContain('A &lt;b&gt;B&lt;/b&gt; *C* &amp; _D_ `E` [F](/g) \\| ~~G~~ &amp;lt; inc. (')
    expect(read({ legalName: '<meta http-equiv=refresh content=0>' }).html).not.toContain('<meta')
  })

  test('is a link to the address itself, whatever signs it has', () => {
    const { privacyOfficer } = company.people
    const people = { ...company.people, privacyOfficer: { ...privacyOfficer, email: "o'b_c_d&e@example.com" } }
    const { html } = read({ people })
    expect(html).toContain('<a href="mailto:o%27b_c_d%26e@example.com">o&#39;b_c_d&amp;e@example.com</a>')
  })
})

describe('a text of the administration', () => {
  const renderBody = (body: string) => renderSource({ title: 'T', description: 'D', lead: 'L', body }, 'about', 'fr').html

  test.each(['constructor', 'toString'])('knows no placeholder {%s}', (name) => {
    expect(() => renderBody(`{${name}}`)).toThrow(`unknown placeholder {${name}}`)
  })

  test('has its table and its code as they were written, and the typography of its language elsewhere', () => {
    expect(renderBody('| Un | Deux |\n| :--- | ---: |\n| A : B | C |\n')).toMatch(
      /<th align="left" scope="col">Un[\s\S]*<td align="left">A\u00a0: B/,
    )
    const html = renderBody("Bonjour ! Tapez `l'une ; l'autre : oui` !\n\n```\nl'une ; l'autre : oui\n```\n\nC'est fait : oui.\n")
    expect(html.match(/l&#39;une ; l&#39;autre : oui/g)).toHaveLength(2)
    expect(html).toContain('Bonjour! Tapez <code>')
    expect(html).toContain('</code>!')
    expect(html).toContain('C’est fait\u00a0: oui.')
  })
})

describe('the start', () => {
  test('fails with the names of all missing or invalid texts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-texts-'))
    cpSync('company/texts', folder, { recursive: true })
    rmSync(join(folder, 'en/cloud.md'))
    writeFileSync(join(folder, 'fr/about.md'), '---\ntitle: A\ndescription: B\nlead: {nobody}\n---\nC\n')
    writeFileSync(join(folder, 'en/about.md'), '---\ntitle: A\ndescription: B\nlead: C\n---\n:::tiles\n### D\n:::\n')
    expect(() => readTexts(folder)).toThrow(
      /fr\/about\.md: unknown placeholder \{nobody\}[\s\S]*en\/about\.md: unknown block :::tiles[\s\S]*en\/cloud\.md: missing/,
    )
    rmSync(folder, { recursive: true })
  })
})
