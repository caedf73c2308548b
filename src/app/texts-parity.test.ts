import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Texts } from '#src/lib/language/texts.ts'
import { setTypography } from '#src/lib/language/texts.ts'

/** Texts for English readers only, such as the offer of another way to a French page. */
const englishOnly = new Set(['frenchOnly'])
const catalogues = await findCatalogues()

describe('the interface texts', () => {
  test('are found', () => {
    expect(catalogues.length).toBeGreaterThan(20)
  })

  test.each(catalogues)('of $name have the same keys and values in French and English', ({ texts }) => {
    expect(Object.keys(texts.en).toSorted(alphabetically)).toEqual(Object.keys(texts.fr).toSorted(alphabetically))
    for (const [key, french] of Object.entries(texts.fr)) {
      if (englishOnly.has(key)) continue
      const english = texts.en[key] ?? ''
      expect({ key, values: valuesOf(english) }).toEqual({ key, values: valuesOf(french) })
      expect({ key, empty: english.trim() === '' }).toEqual({ key, empty: french.trim() === '' })
    }
  })

  test.each(catalogues)('of $name follow French typography', ({ texts }) => {
    const wrong = Object.entries(texts.fr).filter(([, text]) => setTypography(text, 'fr') !== text)
    expect(wrong).toEqual([])
  })
})

/** Every catalogue with both languages that a file exports. */
async function findCatalogues() {
  const found: { name: string; texts: Texts }[] = []
  for (const file of globSync('src/**/{texts,*-texts}.ts').toSorted(alphabetically)) {
    if (file === 'src/lib/language/texts.ts') continue
    const module = (await import(/* @vite-ignore */ `${process.cwd()}/${file}`)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module))
      if (isCatalogue(value)) found.push({ name: `${file} ${name}`, texts: value })
  }
  return found
}

function isCatalogue(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null && 'fr' in value && 'en' in value
}

/** Placeholders of a text without duplicates: a plural may use its number once in one language and twice in the other. */
function valuesOf(text: string) {
  const names = [...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name)
  return [...new Set(names)].toSorted(alphabetically)
}

function alphabetically(one: string, other: string) {
  return one.localeCompare(other, 'en')
}
