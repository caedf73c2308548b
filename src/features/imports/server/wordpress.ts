import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  ImportChoices,
  Importer,
  ImportSource,
  LeftOut,
  SourceEntry,
  WebPage,
} from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import { escapeXml } from '#src/lib/text/escape.ts'
import type { Item } from './read-wxr.ts'
import { fetchChoice, uploadsChoice } from '../values.ts'
import { findSite, readItems } from './read-wxr.ts'
import { openPictures } from './wordpress-pictures.ts'

type Place = { offset: number; length: number; language: string }

function reasonToLeaveOut({ type, status }: Item) {
  if (type === 'revision') return 'revisions'
  if (type === 'attachment') return 'attachments'
  if (type === 'nav_menu_item') return 'menus'
  if (status === 'trash' || status === 'auto-draft') return 'bin'
  return type === 'post' || type === 'page' ? null : 'other'
}

const baseLanguage = (code: string) => code.toLowerCase().split(/[-_]/)[0] ?? ''
export const isBlank = (html: string) => withoutComments(html).replaceAll(/<[^<>]*>|&nbsp;|\s/g, '') === ''

/** A pattern would search the whole rest again for the end of each comment that has none. */
function withoutComments(html: string) {
  let text = ''
  for (let from = 0; ;) {
    const start = html.indexOf('<!--', from)
    const end = start === -1 ? -1 : html.indexOf('-->', start + 4)
    if (end === -1) return text + html.slice(from)
    text += html.slice(from, start)
    from = end + 3
  }
}

function reasonToRefuse(item: Item, language: string): Label | null {
  if (item.password)
    return {
      fr: 'Protégée par un mot de passe. Retirez-le dans WordPress.',
      en: 'Protected by a password. Remove it in WordPress.',
    }
  if (item.title === '' && isBlank(item.html))
    return { fr: 'Ni titre ni texte : il n’y a rien à importer.', en: 'Neither title nor text: there is nothing to import.' }
  if (language !== 'fr' && language !== 'en')
    return {
      fr: `Langue « ${language} » : le site est en français et en anglais.`,
      en: `Language “${language}”: the site is in French and English.`,
    }
  return null
}

// Neither goes past the next opening bracket, so that each takes the time of its own length.
const blocks = /<!--\s*\/?wp:[^<>]*-->/g
const shortcodes = /\[\/?[a-z][\w-]*(?:\s[^[\]]*)?\/?\]/gi

/** The text of blocks and shortcodes; headings of a page below its title; paragraphs where WordPress only has blank lines. */
export function reduceHtml(html: string) {
  const plain = html
    .replaceAll(blocks, '')
    .replaceAll(shortcodes, '')
    .replaceAll(/<(\/?)h[1-3](?=[\s>])/gi, '<$1h3')
    .replaceAll(/<(\/?)h[4-6](?=[\s>])/gi, '<$1h4')
    .replaceAll('\r\n', '\n')
    .trim()
  if (/<p[\s>]/i.test(plain)) return plain
  return plain
    .split(/\n{2,}/)
    .map((part) =>
      /^\s*<(?:h\d|ul|ol|blockquote|table|div|figure)\b/i.test(part) ? part : `<p>${part.trim().replaceAll('\n', '<br>')}</p>`,
    )
    .join('')
}

/** The address of a public item on its site, as people read it; null where it has none, or leads to another site. */
export function addressOf({ link, status }: Pick<Item, 'link' | 'status'>, site: string | null) {
  if (status !== 'publish' || !URL.canParse(link)) return null
  const { protocol, host, pathname, searchParams } = new URL(link)
  if (!/^https?:$/.test(protocol) || (site !== null && new URL(site).host !== host)) return null
  const id = ['p', 'page_id'].map((name) => [name, searchParams.get(name)]).find(([, value]) => value)
  const path = decodePath(pathname)
  const address = (path && !/\s/.test(path) ? path : pathname) + (id ? `?${id.join('=')}` : '')
  // The home page stays the home page.
  return address === '/' ? null : address
}

function decodePath(path: string) {
  try {
    return decodeURI(path)
  } catch {
    return null
  }
}

const categoryOf = ({ type, categories }: Item) => (type === 'page' ? pagesName : (categories[0] ?? ''))
/** The choice for all pages, apart from the categories of posts. */
const pagesName = '(pages)'
const defaultWriter = 'articles'
/** Versions of one item; a plugin writes one for each language. */
const groupMax = 20

type OldAddress = { at: string; from: string; leadsTo: NonNullable<SourceEntry['leadsTo']> }

/**
 * One entry for an item in each of its languages: items with the same group are joined. After them comes one for each of their
 * addresses.
 */
async function* readWordPress(source: ImportSource): AsyncGenerator<SourceEntry | LeftOut> {
  const site = await findSite(source)
  const pictures = await openPictures(source, site)
  const scratch = await open(join(source.workFolder, 'items.jsonl'), 'w+')
  const addresses = await open(join(source.workFolder, 'addresses.jsonl'), 'w+')
  const attachments = new Map<string, string>()
  try {
    const groups = new Map<string, Place[]>()
    let offset = 0
    let position = 0
    for await (const { item, siteLanguage } of readItems(source)) {
      position += 1
      if (item.comments > 0) yield { leftOut: 'comments', count: item.comments }
      const leftOut = reasonToLeaveOut(item)
      if (pictures.isOpen && item.type === 'attachment') attachments.set(item.id, item.file)
      if (leftOut) {
        yield { leftOut }
        continue
      }
      const language = baseLanguage(item.language || siteLanguage || 'fr')
      const refused = reasonToRefuse(item, language)
      const at = String(position)
      if (refused) {
        yield { at, id: item.id || at, name: item.title, values: null, writer: defaultWriter, refused, shown: [] }
        continue
      }
      const line = Buffer.from(JSON.stringify({ ...item, language, at }))
      await scratch.write(line, 0, line.length, offset)
      const group = item.group || `item ${item.id || at}`
      const places = groups.get(group) ?? []
      const place = { offset, length: line.length, language }
      if (places.length < groupMax) groups.set(group, [...places, place])
      else groups.set(`item ${at} of ${group}`, [place])
      offset += line.length
    }
    for (const places of groups.values()) {
      const items: (Item & { at: string })[] = []
      for (const { offset: start, length } of places) {
        const { buffer } = await scratch.read(Buffer.alloc(length), 0, length, start)
        items.push(JSON.parse(buffer.toString()) as Item & { at: string })
      }
      const found: OldAddress[] = []
      for (const one of joinItems(items.map(withThumbnail), source.map, site, found)) yield* takePictures(one)
      for (const one of found) await addresses.write(`${JSON.stringify(one)}\n`)
    }
    for await (const line of addresses.readLines({ start: 0, autoClose: false })) yield toRedirect(JSON.parse(line) as OldAddress)
  } finally {
    await scratch.close()
    await addresses.close()
  }

  /** The picture above the text is its first one here. */
  function withThumbnail(item: Item & { at: string }) {
    const file = attachments.get(item.thumbnail)
    if (!file || item.html.includes(file)) return item
    return { ...item, html: `<img src="${escapeXml(file)}" alt="">\n\n${item.html}` }
  }

  /** What cannot be taken is counted; only articles have pictures. */
  async function* takePictures(one: SourceEntry | LeftOut): AsyncGenerator<SourceEntry | LeftOut> {
    if ('leftOut' in one || one.values === null) return yield one
    const page = one.values as WebPage
    const { names, bytes, missing } = await pictures.find([page.html, page.html_en])
    const isTaken = names.length > 0 && one.writer === defaultWriter
    const leftOut = isTaken ? missing : missing + names.length
    const values = { ...page, pictures: names }
    yield isTaken ? { ...one, values, size: bytes, load: (refuse) => pictures.place(values, refuse) } : one
    if (leftOut > 0) yield { leftOut: 'pictures', count: leftOut }
  }
}

/** Where it leads is known once its page is here. */
const toRedirect = ({ at, from, leadsTo }: OldAddress): SourceEntry => ({
  ...{ at, id: `redirect ${from}`, name: from, writer: 'redirects', leadsTo },
  values: { from, to: '/', status: 301 },
  shown: [{ label: '', text: from }],
})

function* joinItems(
  items: (Item & { at: string })[],
  map: Record<string, string>,
  site: string | null,
  addresses: OldAddress[],
): Generator<SourceEntry | LeftOut> {
  const french = items.find(({ language }) => language === 'fr')
  const english = items.find(({ language }) => language === 'en')
  const first = french ?? english
  if (!first) return
  const values: WebPage = {
    title: french?.title ?? '',
    title_en: english?.title ?? '',
    html: french ? reduceHtml(french.html) : '',
    html_en: english ? reduceHtml(english.html) : '',
    category: first.categories[0] ?? '',
    date: /^\d{4}-\d\d-\d\d \d\d/.test(first.date) && !first.date.startsWith('0000') ? `${first.date.replace(' ', 'T')}Z` : null,
  }
  const joined = [french, english].filter((one) => one !== undefined)
  const shown = joined.flatMap(({ language, title, link }) => [
    { label: language.toUpperCase(), text: title },
    { label: '', text: link },
  ])
  const writer = map[categoryOf(first)] ?? map['*'] ?? defaultWriter
  const id = first.id || first.at
  yield { at: first.at, id, name: first.title, writer, values, shown }
  for (const one of joined) {
    const from = addressOf(one, site)
    if (from) addresses.push({ at: one.at, from, leadsTo: { id, language: one.language === 'en' ? 'en' : 'fr' } })
  }
  if (joined.length > 1) yield { leftOut: 'translations' }
  // Two items of one language in a group are no translation of each other.
  for (const one of items.filter((item) => !joined.includes(item))) yield* joinItems([one], map, site, addresses)
}

const targets: ImportChoices['options'] = [
  { value: 'articles', label: { fr: 'Articles d’aide', en: 'Help articles' } },
  { value: 'notes', label: { fr: 'Avis de service', en: 'Service notices' } },
  { value: 'jobs', label: { fr: 'Emplois', en: 'Jobs' } },
]

async function findCategories(source: ImportSource): Promise<ImportChoices> {
  const counts = new Map<string, number>()
  for await (const { item } of readItems(source))
    if (reasonToLeaveOut(item) === null) counts.set(categoryOf(item), (counts.get(categoryOf(item)) ?? 0) + 1)
  const labelOf = (name: string): Label => {
    if (name === pagesName) return { fr: 'Pages', en: 'Pages' }
    return name === '' ? { fr: 'Sans catégorie', en: 'Without a category' } : { fr: name, en: name }
  }
  const choices = [...counts].slice(0, 200).map(([name, count]) => ({ name, label: labelOf(name), count }))
  const known = new Set(targets.map(({ value }) => value))
  const chosen = (name: string) => source.map[name] ?? source.map['*'] ?? defaultWriter
  const map = Object.fromEntries(choices.map(({ name }) => [name, known.has(chosen(name)) ? chosen(name) : defaultWriter]))
  const kept = Object.entries(source.map).filter(([name]) => name === uploadsChoice || name === fetchChoice)
  return { choices, options: targets, map: { ...map, ...Object.fromEntries(kept) } }
}

/** Posts and pages of a WordPress export (WXR 1.0 to 1.2), as drafts. */
export const wordpressImporter: Importer = {
  kind: 'wordpress',
  label: { fr: 'Site WordPress', en: 'WordPress site' },
  hint: {
    fr: 'Fichier XML de WordPress (Outils, Exporter). Les langues de Polylang et de WPML sont réunies.',
    en: 'XML file of WordPress (Tools, Export). Languages of Polylang and WPML are joined.',
  },
  accept: '.xml',
  areas: ['articles', 'company'],
  writers: {},
  usesPages: true,
  findSource: findSite,
  findChoices: findCategories,
  read: readWordPress,
}
