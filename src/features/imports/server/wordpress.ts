import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import type {
  ImportChoices,
  Importer,
  ImportSource,
  LeftOut,
  SourceEntry,
  WebPage,
} from '#src/features/content/server/importing.ts'
import { UnusableSource } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import { readText } from './read-table.ts'

/** An item of the export, as far as it is read. */
type Item = {
  id: string
  type: string
  status: string
  password: string
  title: string
  html: string
  link: string
  date: string
  categories: string[]
  language: string
  /** Items with the same group are translations of each other. */
  group: string
  comments: number
}
type Place = { offset: number; length: number; language: string }

/** Characters of one text. */
const textMax = 5_000_000
const emptyItem = (): Item => ({
  ...{ id: '', type: '', status: '', password: '', title: '', html: '', link: '', date: '' },
  ...{ categories: [], language: '', group: '', comments: 0 },
})

const notExport = {
  fr: 'Ce fichier n’est pas une exportation de WordPress (Outils, Exporter).',
  en: 'This file is not a WordPress export (Tools, Export).',
}
const unreadable = (line: number) => ({
  fr: `Le fichier XML ne peut pas être lu à la ligne ${line}. Exportez-le de nouveau.`,
  en: `The XML file cannot be read at line ${line}. Export it again.`,
})
const tooLong = { fr: 'Un texte de ce fichier dépasse 5 Mo.', en: 'A text of this file is longer than 5 MB.' }
const declares = {
  fr: 'Ce fichier XML contient une déclaration DOCTYPE, qui est refusée. Exportez-le de nouveau depuis WordPress.',
  en: 'This XML file contains a DOCTYPE declaration, which is refused. Export it again from WordPress.',
}

const fields: Record<string, keyof Item> = {
  title: 'title',
  link: 'link',
  'content:encoded': 'html',
  'wp:post_id': 'id',
  'wp:post_type': 'type',
  'wp:status': 'status',
  'wp:post_password': 'password',
  'wp:post_date_gmt': 'date',
}

/** The items of an export and the language of its site, one after the other; nothing of the file stays in memory. */
async function* readItems(source: Pick<ImportSource, 'path' | 'charset'>): AsyncGenerator<{ item: Item; siteLanguage: string }> {
  // The parser knows the five entities of XML alone, and fetches nothing.
  const parser = new SaxesParser()
  const found: Item[] = []
  const path: string[] = []
  let [item, text, isExport, siteLanguage]: [Item | null, string, boolean, string] = [null, '', false, '']
  let category = { domain: '', nicename: '' }
  let meta = { key: '', value: '' }
  const add = (more: string) => {
    text += more
    if (text.length > textMax) throw new UnusableSource(tooLong)
  }
  parser.on('error', () => {
    throw new UnusableSource(unreadable(parser.line))
  })
  parser.on('doctype', () => {
    throw new UnusableSource(declares)
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name)
    text = ''
    if (name === 'item') item = emptyItem()
    else if (name === 'category') category = { domain: attributes.domain ?? '', nicename: attributes.nicename ?? '' }
    else if (name === 'wp:postmeta') meta = { key: '', value: '' }
    else if (name === 'wp:comment' && item) item.comments += 1
  })
  parser.on('closetag', ({ name }) => {
    path.pop()
    const parent = path.at(-1)
    if (name === 'wp:wxr_version') isExport = true
    else if (name === 'language' && parent === 'channel') siteLanguage = text.trim()
    if (item === null) return
    if (name === 'item') {
      found.push(item)
      item = null
    } else if (parent === 'item' && name === 'category') readCategory(item, category, text.trim())
    else if (parent === 'item' && name === 'wp:postmeta') readMeta(item, meta)
    else if (name === 'wp:meta_key') meta.key = text.trim()
    else if (name === 'wp:meta_value') meta.value = text.trim()
    else if (parent === 'item' && fields[name])
      Object.assign(item, { [fields[name]]: name === 'content:encoded' ? text : text.trim() })
    text = ''
  })
  for await (const piece of readText(source)) {
    parser.write(piece)
    for (const one of found.splice(0)) yield { item: one, siteLanguage }
  }
  parser.close()
  if (!isExport) throw new UnusableSource(notExport)
}

/** Polylang's languages and groups of translations are terms of their own. */
function readCategory(item: Item, { domain, nicename }: { domain: string; nicename: string }, name: string) {
  if (domain === 'language') item.language = nicename
  else if (domain === 'post_translations') item.group = `polylang ${nicename}`
  else if (domain === 'category' && name) item.categories.push(name)
}

/** WPML's are fields of the item. */
function readMeta(item: Item, { key, value }: { key: string; value: string }) {
  if (key === '_wpml_import_language_code' || (key === 'wpml_language' && item.language === '')) item.language = value
  else if (key === '_wpml_import_translation_group' && value) item.group = `wpml ${value}`
}

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
      fr: `Langue « ${language} » : le site est en français et en anglais.`,
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

function addressOf(link: string) {
  if (!URL.canParse(link)) return null
  const { pathname, searchParams } = new URL(link)
  const id = ['p', 'page_id'].map((name) => [name, searchParams.get(name)]).find(([, value]) => value)
  return id ? `${pathname}?${id.join('=')}` : pathname
}

const categoryOf = ({ type, categories }: Item) => (type === 'page' ? pagesName : (categories[0] ?? ''))
/** The choice for all pages, apart from the categories of posts. */
const pagesName = '(pages)'
const defaultWriter = 'articles'

/** One entry for an item in each of its languages: items with the same group are joined. */
async function* readWordPress(source: ImportSource): AsyncGenerator<SourceEntry | LeftOut> {
  const scratch = await open(join(source.workFolder, 'items.jsonl'), 'w+')
  try {
    const groups = new Map<string, Place[]>()
    let offset = 0
    let position = 0
    for await (const { item, siteLanguage } of readItems(source)) {
      position += 1
      if (item.comments > 0) yield { leftOut: 'comments', count: item.comments }
      const leftOut = reasonToLeaveOut(item)
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
      groups.set(group, [...(groups.get(group) ?? []), { offset, length: line.length, language }])
      offset += line.length
    }
    for (const places of groups.values()) {
      const items: (Item & { at: string })[] = []
      for (const { offset: start, length } of places) {
        const { buffer } = await scratch.read(Buffer.alloc(length), 0, length, start)
        items.push(JSON.parse(buffer.toString()) as Item & { at: string })
      }
      yield* joinItems(items, source.map)
    }
  } finally {
    await scratch.close()
  }
}

function* joinItems(items: (Item & { at: string })[], map: Record<string, string>): Generator<SourceEntry | LeftOut> {
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
    addresses: [french, english].flatMap((one) => {
      const path = one && addressOf(one.link)
      return one && path ? [{ path, language: one.language as 'fr' | 'en' }] : []
    }),
  }
  const joined = [french, english].filter((one) => one !== undefined)
  const shown = joined.flatMap(({ language, title, link }) => [
    { label: language.toUpperCase(), text: title },
    { label: '', text: addressOf(link) ?? '' },
  ])
  const writer = map[categoryOf(first)] ?? map['*'] ?? defaultWriter
  yield { at: first.at, id: first.id || first.at, name: first.title, writer, values, shown }
  if (joined.length > 1) yield { leftOut: 'translations' }
  // Two items of one language in a group are no translation of each other.
  for (const one of items.filter((item) => !joined.includes(item))) yield* joinItems([one], map)
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
  return { choices, options: targets, map }
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
  findChoices: findCategories,
  read: readWordPress,
}
