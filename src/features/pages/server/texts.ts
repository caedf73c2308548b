import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { company } from '#company/company.ts'
import type { Language } from '#src/lib/language/language.ts'
import { languages } from '#src/lib/language/language.ts'
import { setTypography } from '#src/lib/language/typography.ts'
import type { TextName } from '../values.ts'
import { pageTextNames, tutorialTextNames } from '../values.ts'
import type { Rendered } from './markdown.ts'
import { renderText } from './markdown.ts'
import { fillPlaceholders, placeholderLinks, placeholderValues } from './placeholders.ts'

/** `language` is the one the text is written in: a tutorial answers in French whatever was asked. */
export type PageText = Rendered & { name: TextName; language: Language }
export type PageTexts = { find: (name: TextName, language: Language) => PageText }

const defaultFolder = join(process.cwd(), 'company/texts')

/** Reads and renders every long text once; throws one error that names each text that is missing or wrong. */
export function readTexts(folder = defaultFolder): PageTexts {
  const known = new Map<string, PageText>()
  const words = { fr: wordsIn('fr'), en: wordsIn('en') }
  const problems: string[] = []
  const wanted = [
    ...languages.flatMap((language) => pageTextNames.map((name) => ({ name, language }))),
    ...tutorialTextNames.map((name) => ({ name, language: 'fr' as const })),
  ]
  for (const { name, language } of wanted) {
    try {
      known.set(`${language}/${name}`, readText(folder, name, language, words[language]))
    } catch (error) {
      problems.push(`${language}/${name}.md: ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new Error(`Texts of ${folder}:\n${problems.join('\n')}`)
  return {
    find(name, language) {
      const text = known.get(`${language}/${name}`) ?? known.get(`fr/${name}`)
      if (!text) throw new Error(`No such text: ${name}`)
      return text
    },
  }
}

/** In development each request reads the files again, so that an author sees what they write. */
export function openTexts(development: boolean): PageTexts {
  const texts = readTexts()
  return development ? { find: (name, language) => readTexts().find(name, language) } : texts
}

type Words = ReturnType<typeof wordsIn>

function wordsIn(language: Language) {
  return { head: placeholderValues(company, language), body: placeholderLinks(company, language) }
}

function readText(folder: string, name: TextName, language: Language, words: Words): PageText {
  const file = join(folder, language, `${name}.md`)
  if (!existsSync(file)) throw new Error('missing')
  const source = readFileSync(file, 'utf8')
  const end = source.indexOf('\n---\n')
  const head = fillPlaceholders(source.slice(0, end), words.head)
  const body = fillPlaceholders(source.slice(end), words.body)
  return { name, language, ...renderText(setTypography(head + body, language)) }
}
