import { setImmediate } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import type { Language } from '#src/lib/language/language.ts'
import { languages, otherLanguage } from '#src/lib/language/language.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import type { App } from '../types.ts'
import { foldWords, placesOf, stemOf, splitWords } from './words.ts'

/** Something that visitors may find. An empty text or title is shown in the other language. */
export type SearchEntry = {
  key: string
  kind: string
  title: Record<Language, string>
  text: Record<Language, string>
  keywords?: Record<Language, string>
  url: Record<Language, string>
  /** Comes before everything else that matches. */
  isUrgent?: boolean
}

/** What a feature gives to the search: only what every stranger may read. */
export type SearchSource = {
  /** Areas whose changes change its entries. */
  areas: readonly string[]
  /** Its changes are not announced: it is compared before each search. */
  isUnannounced?: boolean
  /** The keys of its entries, each with a text that differs once the entry has changed. */
  findStamps: (app: App) => Promise<ReadonlyMap<string, string>>
  load: (app: App, keys: readonly string[]) => Promise<SearchEntry[]>
  /** Terms that join the languages. */
  findPairs?: (app: App) => Promise<readonly SearchPair[]>
}

/** A source that is small enough to be read as a whole. */
export function wholeSource(areas: readonly string[], find: (app: App) => Promise<SearchEntry[]>): SearchSource {
  return {
    areas,
    findStamps: async (app) => new Map((await find(app)).map((entry) => [entry.key, JSON.stringify(entry)])),
    load: async (app, keys) => (await find(app)).filter(({ key }) => keys.includes(key)),
  }
}

/** One address for both languages. */
export const sameUrl = (url: string): Record<Language, string> => ({ fr: url, en: url })

export type Found = {
  kind: string
  key: string
  title: string
  /** Text with `mark` elements only. */
  excerpt: string
  url: string
  /** The language of title and excerpt. */
  language: Language
  /** The words that matched, as they are written in the entry. */
  matched: string[]
}

/** Terms that mean the same, one or several of each language. */
export type SearchPair = readonly [french: string | readonly string[], english: string | readonly string[]]

type Indexed = Record<'titleFr' | 'titleEn' | 'keysFr' | 'keysEn' | 'textFr' | 'textEn', string> & { id: string }

const fields = ['titleFr', 'titleEn', 'keysFr', 'keysEn', 'textFr', 'textEn'] as const
const languageOfField = (field: string): Language => (field.endsWith('Fr') ? 'fr' : 'en')
const chunk = 10
const longestFresh = 60_000
/** Entries below this part of the best score are left out. */
const leastOfBest = 0.12
/** At least this part of the words of a search must match. */
const leastMatched = 0.25
const mostWords = 30
const excerptLength = 170

/**
 * A search over what the features declare, in both languages at once. The index is in memory, built at the first search and
 * brought up to date before the next one after a change, so that nothing unpublished is found. The terms that join the languages
 * are those of `pairsFrom`.
 */
export function createSearch(app: App, sources: readonly SearchSource[], pairsFrom = sources) {
  /** Stems of the index: a word that is none of them may be mistyped. */
  const known = new Set<string>()
  const index = new MiniSearch<Indexed>({
    fields: [...fields],
    tokenize: splitWords,
    processTerm: (word, field = 'textFr') => {
      const stem = stemOf(word, languageOfField(field))
      known.add(stem)
      return stem
    },
  })
  const stored = new Map<string, { entry: SearchEntry; stamp: string; source: SearchSource }>()
  let stale = new Set(sources)
  let freshUntil = 0
  let refreshing: Promise<void> = Promise.resolve()
  app.events.onChanged((area) => {
    for (const source of sources) if (source.areas.includes(area)) stale.add(source)
  })

  function refresh() {
    refreshing = refreshing
      .catch(() => undefined)
      .then(async () => {
        if (performance.now() > freshUntil) {
          stale = new Set(sources)
          freshUntil = performance.now() + longestFresh
        }
        for (const source of sources) if (source.isUnannounced) stale.add(source)
        for (const source of stale) {
          stale.delete(source)
          try {
            await refreshSource(source)
          } catch (error) {
            stale.add(source)
            throw error
          }
        }
      })
    return refreshing
  }

  async function refreshSource(source: SearchSource) {
    const stamps = await source.findStamps(app)
    for (const [key, one] of stored)
      if (one.source === source && !stamps.has(key)) {
        stored.delete(key)
        index.discard(key)
      }
    const changed = [...stamps.keys()].filter((key) => stored.get(key)?.stamp !== stamps.get(key))
    for (let start = 0; start < changed.length; start += chunk) {
      const entries = await source.load(app, changed.slice(start, start + chunk))
      for (const entry of entries) {
        if (stored.has(entry.key)) index.discard(entry.key)
        stored.set(entry.key, { entry, stamp: stamps.get(entry.key) ?? '', source })
        index.add(indexedOf(entry))
        await setImmediate()
      }
    }
  }

  async function findPairs() {
    const found = await Promise.all(pairsFrom.map(async (source) => (await source.findPairs?.(app)) ?? []))
    return found.flat().flatMap(joinPair)
  }

  return {
    /** Builds the index, for which the first search after a start would wait otherwise. */
    async prepare() {
      try {
        await refresh()
      } catch (error) {
        app.log.warn({ err: error }, 'the index of the search is built at the first search')
      }
    },
    /**
     * The entries that match best, among those that are `wanted`; where not `isFuzzy`, without those of a mistyped word; with
     * `isPerKind`, the best of each kind, whatever matches in others; with `isWhole`, those that match each word.
     */
    async find(
      text: string,
      language: Language,
      limit: number,
      wanted: (entry: SearchEntry) => boolean = () => true,
      { isFuzzy = true, isPerKind = false, isWhole = false } = {},
    ): Promise<Found[]> {
      await refresh()
      const words = [...new Set(splitWords(text))].slice(0, mostWords)
      if (words.length === 0) return []
      const query = readQuery(words, text, await findPairs())
      const last = words.at(-1) ?? ''
      const isTypedOn = /[\p{L}\p{N}]$/u.test(text.trimEnd())
      const isLast = (term: string) => isTypedOn && query.get(term)?.words.has(last) === true
      // Terms that mean the same are looked up as they are.
      const isAsked = (term: string) => query.get(term)?.weight === 1
      const hits = index.search([...query.keys()].join(' '), {
        combineWith: 'OR',
        tokenize: (terms) => terms.split(' '),
        filter: ({ id }) => {
          const entry = stored.get(String(id))?.entry
          return entry !== undefined && wanted(entry)
        },
        processTerm: (term) => term,
        boost: { titleFr: 4, titleEn: 4, keysFr: 3, keysEn: 3 },
        boostTerm: (term) => query.get(term)?.weight ?? 1,
        prefix: (term) => isAsked(term) && (isLast(term) ? term.length > 1 : term.length > 4 && !known.has(term)),
        fuzzy: (term) => (!isFuzzy || term.length < 4 || known.has(term) || !isAsked(term) ? false : term.length < 6 ? 1 : 2),
        weights: { fuzzy: 0.3, prefix: 0.4 },
      })
      const least = isWhole ? words.length : Math.ceil(words.length * leastMatched)
      const matches = hits.flatMap(({ id, ...hit }) => {
        const entry = stored.get(String(id))?.entry
        return entry ? [{ entry, ...hit }] : []
      })
      const groups = isPerKind ? [...Map.groupBy(matches, ({ entry }) => entry.kind).values()] : [matches]
      return groups.flatMap((group) => {
        const best = group[0]?.score ?? 0
        const found = group.filter(
          ({ entry, score, queryTerms }) =>
            (score >= best * leastOfBest || entry.isUrgent === true) && countWords(queryTerms, query) >= least,
        )
        const urgent = found.filter(({ entry }) => entry.isUrgent)
        const others = found.filter(({ entry }) => !entry.isUrgent)
        return [...urgent, ...others].slice(0, limit).map(({ entry, terms }) => present(entry, new Set(terms), language))
      })
    },
    /** The titles of those of these addresses that strangers may read. */
    async findTitles(urls: readonly string[], language: Language) {
      await refresh()
      const entries = [...stored.values()].map(({ entry }) => entry)
      return urls.flatMap((url) => {
        const entry = entries.find((one) => one.url.fr === url || one.url.en === url)
        return entry ? [{ title: entry.title[language] || entry.title[otherLanguage(language)], url }] : []
      })
    },
  }
}

export type Search = ReturnType<typeof createSearch>

type Query = Map<string, { weight: number; words: Set<string> }>

/** One term of a pair: a text with its stems asks for those of the other terms, too. */
type Joined = { language: Language; stems: string; meant: readonly string[] }

/** By pair, since lists of them are made anew each second: stemming all of them takes longer than a search. */
const joined = new WeakMap<SearchPair, Joined[]>()

function joinPair(pair: SearchPair): Joined[] {
  const known = joined.get(pair)
  if (known) return known
  const [french, english] = pair
  const terms = [
    ...[french].flat().map((term) => ({ term, language: 'fr' as const })),
    ...[english].flat().map((term) => ({ term, language: 'en' as const })),
  ]
  const stemsOf = (one: (typeof terms)[number]) => splitWords(one.term).map((word) => stemOf(word, one.language))
  const made = terms.map((one): Joined => ({
    language: one.language,
    stems: stemmedText(one.term, one.language),
    meant: [...new Set(terms.filter((other) => other !== one).flatMap(stemsOf))],
  }))
  joined.set(pair, made)
  return made
}

/** The stems of the words in both languages, then those of terms that mean the same. */
function readQuery(words: readonly string[], text: string, pairs: readonly Joined[]): Query {
  const query: Query = new Map()
  const add = (stem: string, word: string, weight: number) => {
    const known = query.get(stem)
    if (known) known.words.add(word)
    else query.set(stem, { weight, words: new Set([word]) })
  }
  for (const word of words) for (const language of languages) add(stemOf(word, language), word, 1)
  const stems: Record<Language, string> = { fr: stemmedText(text, 'fr'), en: stemmedText(text, 'en') }
  for (const pair of pairs) {
    if (!stems[pair.language].includes(pair.stems)) continue
    const asked = words.filter((word) => pair.stems.includes(` ${stemOf(word, pair.language)} `))
    for (const stem of pair.meant) for (const word of asked.length > 0 ? asked : words) add(stem, word, 0.6)
  }
  return query
}

/** The stems of a text between spaces, so that a term is found as a whole. */
const stemmedText = (text: string, language: Language) =>
  ` ${foldWords(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => stemOf(word, language))
    .join(' ')} `

function countWords(terms: readonly string[], query: Query) {
  return new Set(terms.flatMap((term) => [...(query.get(term)?.words ?? [])])).size
}

const indexedOf = ({ key, title, keywords, text }: SearchEntry): Indexed => ({
  id: key,
  titleFr: title.fr,
  titleEn: title.en,
  keysFr: keywords?.fr ?? '',
  keysEn: keywords?.en ?? '',
  textFr: text.fr,
  textEn: text.en,
})

function present(entry: SearchEntry, stems: ReadonlySet<string>, asked: Language): Found {
  const { kind, key, title, text, url } = entry
  const language = title[asked] ? asked : otherLanguage(asked)
  const excerpt = excerptOf(text[language] || title[language], language, stems)
  const inTitle = matchesIn(title[language], language, stems).map(({ start, end }) => title[language].slice(start, end))
  const shown = [...inTitle, ...excerpt.matched]
  const written = new Map(
    (shown.length > 0 ? shown : matchedElsewhere(entry, language, stems)).map((word) => [word.toLowerCase(), word]),
  )
  return { kind, key, title: title[language], excerpt: excerpt.html, url: url[asked], language, matched: [...written.values()] }
}

const mostElsewhere = 3

/** The words that matched in what a result does not show: its keywords, and the other language. */
function matchedElsewhere({ title, keywords, text }: SearchEntry, language: Language, stems: ReadonlySet<string>) {
  const other = otherLanguage(language)
  const found = [
    [keywords?.[language] ?? '', language] as const,
    ...[title[other], keywords?.[other] ?? '', text[other]].map((one) => [one, other] as const),
  ].flatMap(([one, spoken]) => matchesIn(one, spoken, stems).map(({ start, end }) => one.slice(start, end).toLowerCase()))
  return [...new Set(found)].slice(0, mostElsewhere)
}

const matchesIn = (text: string, language: Language, stems: ReadonlySet<string>) =>
  stemsIn(text, language).filter(({ stem }) => stems.has(stem))

type PlacedStem = { stem: string; start: number; end: number }
/** Of the texts shown last: the same ones are found again and again. */
const placed = new Map<string, PlacedStem[]>()
const mostPlaced = 200

function stemsIn(text: string, language: Language) {
  const key = language + text
  const found =
    placed.get(key) ?? [...placesOf(text)].map(({ word, start, end }) => ({ stem: stemOf(word, language), start, end }))
  placed.delete(key)
  placed.set(key, found)
  if (placed.size > mostPlaced) placed.delete(placed.keys().next().value ?? '')
  return found
}

/** The part of a text with the most matches, marked. */
function excerptOf(text: string, language: Language, stems: ReadonlySet<string>) {
  const matches = matchesIn(text, language, stems)
  let [from, most] = [0, 0]
  for (const [at, { start }] of matches.entries()) {
    let count = 0
    while ((matches[at + count]?.end ?? Infinity) <= start + excerptLength - 40) count += 1
    if (count > most) [from, most] = [start, count]
  }
  // Begins at the phrase of the first match where that is near.
  const before = text.slice(Math.max(0, from - 60), from)
  const phrase = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. '))
  const begin =
    from <= 60 ? 0 : phrase >= 0 ? from - before.length + phrase + 1 : from - (before.match(/\S+\s*$/)?.[0].length ?? 0)
  let end = Math.min(text.length, begin + excerptLength)
  if (end < text.length) end = Math.max(begin + 1, text.lastIndexOf(' ', end))
  let html = begin > 0 ? '…' : ''
  let at = begin
  const matched: string[] = []
  for (const match of matches) {
    if (match.start < at || match.end > end) continue
    const word = text.slice(match.start, match.end)
    matched.push(word)
    html += `${escapeXml(text.slice(at, match.start))}<mark>${escapeXml(word)}</mark>`
    at = match.end
  }
  html += escapeXml(text.slice(at, end)) + (end < text.length ? '…' : '')
  return { html: html.replaceAll(/\s+/g, ' ').trim(), matched: [...new Set(matched)] }
}
