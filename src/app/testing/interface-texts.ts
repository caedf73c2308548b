import { globSync, readFileSync } from 'node:fs'
import { is, Table } from 'drizzle-orm'
import type { Language } from '#src/lib/language/language.ts'

export type InterfaceText = { file: string; key: string; language: Language; text: string }

type Bilingual = Record<Language, unknown>

/** Every text that a module of the product or the company exports in both languages: catalogues, labels, mails. */
export async function findTexts(pattern: string): Promise<InterfaceText[]> {
  const found: InterfaceText[] = []
  for (const file of globSync(pattern).toSorted()) {
    if (/\.test\.|\/testing\//.test(file) || !/\bfr: /.test(readFileSync(file, 'utf8'))) continue
    const module = (await import(/* @vite-ignore */ `${process.cwd()}/${file}`)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) collect(value, file, name, found)
  }
  return found
}

/** Messages of the API and the commands, in English only. */
export function findServerTexts(pattern: string): InterfaceText[] {
  return globSync(pattern)
    .toSorted()
    .filter((file) => !/\.test\.|\/testing\/|-texts\.ts$|\/texts\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^(?!\s*(?:\*|\/\/|\/\*)).*?(['`])([A-Z][^'`\n]* [^'`\n]*[.:])\1/gm)].map(
        ([line, , text = '']) => ({
          file,
          key: text.slice(0, 30),
          language: /\bfr: |[À-ÿ’]/.test(line) ? ('fr' as const) : ('en' as const),
          text,
        }),
      ),
    )
}

function collect(value: unknown, file: string, key: string, found: InterfaceText[]) {
  // A table of the database has no texts, and leads back to itself.
  if (typeof value !== 'object' || value === null || is(value, Table)) return
  if (isBilingual(value)) {
    for (const language of ['fr', 'en'] as const) collectLanguage(value[language], language, file, key, found)
    return
  }
  for (const [name, part] of Object.entries(value)) collect(part, file, `${key}.${name}`, found)
}

function collectLanguage(value: unknown, language: Language, file: string, key: string, found: InterfaceText[]) {
  if (typeof value === 'string') found.push({ file, key, language, text: value })
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) collectLanguage(part, language, file, `${key}.${name}`, found)
}

function isBilingual(value: object): value is Bilingual {
  return 'fr' in value && 'en' in value
}
