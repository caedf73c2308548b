import type { Language } from '#src/lib/language/language.ts'
import { languages } from '#src/lib/language/language.ts'
import type { EntryAddress } from '#src/features/content/server/feature.ts'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { App } from '#src/server/types.ts'
import { foldWords, splitWords } from '#src/server/search/words.ts'
import type { Target } from '../contract.ts'
import type { Pattern } from '../values.ts'
import { withoutLanguage } from './matching.ts'
import { isWordpressPage, withoutEndSlash } from '../values.ts'

/** Entries are read again after this time: a planned publication announces no change. */
const freshFor = 5_000
const reserved = ['/admin', '/api', '/public_api', '/login', '/recherche']
const mostTargets = 8
/** At least this part of the words of an address must be in a title that is suggested for it. */
const leastAlike = 0.6

export const isReserved = (path: string) =>
  reserved.some((one) => path.toLowerCase() === one || path.toLowerCase().startsWith(`${one}/`))

/** What the product answers by itself, and where its entries are. */
export function createKnownAddresses(app: App) {
  let entries: { at: number; found: Promise<ReadonlyMap<string, EntryAddress>> } | null = null
  app.events.onChanged(() => {
    entries = null
  })
  const secrets = app.features.flatMap(({ secretPaths = [] }) => secretPaths)
  const pages = new Set(app.features.flatMap(({ publicPaths = [] }) => publicPaths))
  let routes: string[] | null = null

  function readEntries() {
    if (entries && performance.now() - entries.at < freshFor) return entries.found
    const found = app.findEntryAddresses().then((all) => new Map(all.map((one) => [one.path, one])))
    const current = { at: performance.now(), found }
    entries = current
    found.catch(() => {
      if (entries === current) entries = null
    })
    return found
  }

  /** Files and other addresses that are no pages. */
  function isRoute(path: string) {
    routes ??= app.declaredRoutes.flatMap(({ url, method }) =>
      url === '/*' || url === '*' || ![method].flat().includes('GET') ? [] : url,
    )
    return routes.some((one) => matchesRoute(one, path))
  }

  /** A page at a fixed address, a file or a part of the product; not an entry. */
  const isFixed = (path: string) =>
    pages.has(path) || isReserved(path) || secrets.some((one) => path.startsWith(one)) || isRoute(path)

  return {
    readEntries,
    /** True where the product answers now. */
    async isAnswered(address: string) {
      const path = withoutLanguage(address)
      return isFixed(path) || ((await readEntries()).get(path)?.isPublished ?? false)
    },
    /** True where a redirect would stand for an address that the product has, published or not. */
    async isTaken(pattern: Pattern) {
      if (isWordpressPage(pattern)) return false
      const path = withoutLanguage(pattern.path)
      const all = await readEntries()
      if (!pattern.isPrefix) return isFixed(path) || all.has(path)
      const known = [...pages, ...all.keys(), ...reserved, ...secrets]
      return isReserved(path) || known.some((one) => one.startsWith(path) || `${one}/` === path) || isRoute(`${path}x`)
    },
    /** The state of an address of this site that a redirect leads to. */
    async stateOf(address: string) {
      const path = withoutLanguage(address)
      if (isFixed(path)) return 'ok' as const
      const entry = (await readEntries()).get(path)
      if (!entry) return 'broken' as const
      return entry.isPublished ? ('ok' as const) : ('waiting' as const)
    },
    async titleOf(path: string, language: Language, rights: Rights) {
      const entry = (await readEntries()).get(withoutLanguage(path))
      return entry && isVisible(entry, rights) ? entry.title[language] || entry.title.fr || null : null
    },
    /** Pages by their title or address, in both languages. */
    async findTargets(text: string, language: Language, rights: Rights): Promise<Target[]> {
      const wanted = splitWords(text)
      const found = new Map<string, Target>()
      for (const entry of (await readEntries()).values()) {
        if (!isVisible(entry, rights)) continue
        const { path, title, isPublished } = entry
        const words = foldWords(`${title.fr} ${title.en} ${path}`)
        if (wanted.length === 0 || !wanted.every((word) => words.includes(word))) continue
        found.set(path, { title: title[language] || title.fr, path, published: isPublished })
      }
      for (const path of pages) {
        const isNamed = wanted.length > 0 && wanted.every((word) => foldWords(path).includes(word))
        const isBegun = text.startsWith('/') && path.startsWith(text)
        if ((isNamed || isBegun) && !found.has(path)) found.set(path, { title: '', path, published: true })
      }
      // What the search found has its title.
      for (const one of await searchPages(text)) if (!found.get(one.path)?.title) found.set(one.path, one)
      return [...found.values()].slice(0, mostTargets)
    },
    /** The page whose title has most words of an old address; null where none is close. */
    async suggest(address: string, rights: Rights): Promise<Target | null> {
      const words = wordsOfAddress(address)
      if (words.length === 0) return null
      let best: { target: Target; share: number } | null = null
      const visible = [...(await readEntries()).values()].filter((one) => isVisible(one, rights))
      const named = visible.flatMap(({ path, title, isPublished }) =>
        languages.map((language) => ({ title: title[language], path, published: isPublished })),
      )
      for (const target of [...named, ...(await searchPages(words.join(' ')))]) {
        const own = splitWords(`${target.title} ${target.path}`)
        const share = words.filter((word) => own.some((one) => isAlike(one, word))).length / words.length
        if (target.title !== '' && share >= leastAlike && share > (best?.share ?? 0)) best = { target, share }
      }
      return best?.target ?? null
    },
  }

  async function searchPages(text: string): Promise<Target[]> {
    const found = await Promise.all(languages.map((language) => app.siteSearch.find(text, language, mostTargets)))
    return found
      .flat()
      .map(({ title, url }) => ({ title, path: withoutEndSlash(url.split(/[?#]/, 1)[0] ?? url), published: true }))
  }
}

/** The title of a draft is only for those who may read its area. */
const isVisible = ({ isPublished, area }: EntryAddress, rights: Rights) =>
  isPublished || (area !== undefined && hasRight(rights, area, 'read_only'))

/** The words of an old address that may be those of a title: no dates, endings of files or ids. */
function wordsOfAddress(address: string) {
  const path = (address.split('?', 1)[0] ?? '').replace(/\.(?:html?|php|aspx?|pdf)$/i, '')
  const last = path.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? ''
  return [...new Set(splitWords(last.replaceAll(/[-_+.]/g, ' ')))].filter((word) => word.length > 2 && !/^\d+$/.test(word))
}

/** Plurals and other endings do not matter. */
const isAlike = (one: string, other: string) =>
  one === other ||
  (Math.min(one.length, other.length) > 4 && (one.startsWith(other.slice(0, -1)) || other.startsWith(one.slice(0, -1))))

/** True where a route such as `/media/:id` or `/files/*` answers at a path. */
function matchesRoute(route: string, path: string) {
  const wanted = route.split('/')
  const parts = path.split('/')
  const rest = wanted.indexOf('*')
  if (rest === -1 ? parts.length !== wanted.length : parts.length <= rest) return false
  return wanted
    .slice(0, rest === -1 ? undefined : rest)
    .every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
}
