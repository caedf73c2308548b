import type { Language } from '#src/lib/language/language.ts'
import { defaultLanguage, languages } from '#src/lib/language/language.ts'
import type { PageAddress } from '#src/features/content/server/feature.ts'

type Paths = Exclude<PageAddress, string>

/** Each page in each language that it has a text in, and when what it shows was changed. */
export function listShown(pages: readonly PageAddress[]) {
  const newest = newestBelow(pages)
  return pages.flatMap((page) => {
    const { changedAt, standsAlone: _alone, ...paths } = inLanguages(page)
    const shown = languages.filter((language) => paths[language] !== undefined)
    return shown.map((language) => ({ paths, language, changedAt: changedAt ?? newest.get(paths.fr ?? '') }))
  })
}

/** The path of a page in a language, as search engines are told of it. */
export const pathIn = (language: Language, paths: Partial<Record<Language, string>>) =>
  (paths[language] ?? '') + (language === defaultLanguage ? '' : `?lang=${language}`)

const inLanguages = (page: PageAddress): Paths => (typeof page === 'string' ? { fr: page, en: page } : page)

/** The newest change below each path: the page of a list shows its entries. */
function newestBelow(pages: readonly PageAddress[]) {
  const newest = new Map<string, string>()
  for (const { fr: path = '', changedAt, standsAlone } of pages.map(inLanguages)) {
    if (!changedAt || standsAlone) continue
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.slice(0, end)
      if ((newest.get(above) ?? '') < changedAt) newest.set(above, changedAt)
    }
  }
  return newest
}
