import { SaxesParser } from 'saxes'
import type { ImportSource } from '#src/features/content/server/importing.ts'
import { UnusableSource } from '#src/features/content/server/importing.ts'
import { readHead, readText } from './read-table.ts'

/** An item of the export, as far as it is read. */
export type Item = {
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
  /** Of an attachment: its file. */
  file: string
  /** The attachment that stands above the text. */
  thumbnail: string
}

/** Characters of one text, and of all texts of an item. */
const textMax = 5_000_000
const itemMax = 4 * textMax
const depthMax = 100
/** Where each of them is stays in memory until the languages are joined. */
const itemsMax = 200_000
const emptyItem = (): Item => ({
  ...{ id: '', type: '', status: '', password: '', title: '', html: '', link: '', date: '' },
  ...{ categories: [], language: '', group: '', comments: 0, file: '', thumbnail: '' },
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
const tooDeep = {
  fr: 'Le XML de ce fichier est trop imbriqué. Exportez-le de nouveau depuis WordPress.',
  en: 'The XML of this file is nested too deeply. Export it again from WordPress.',
}
const tooMany = {
  fr: 'Ce fichier a plus de 200 000 éléments. Exportez le site en plusieurs fichiers, par période.',
  en: 'This file has more than 200,000 items. Export the site as several files, by period.',
}
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
  'wp:attachment_url': 'file',
}

type File = Pick<ImportSource, 'path' | 'charset'>

/** The address of the site, which its items are numbered by; null where the file does not tell it. */
export async function findSite(file: File): Promise<string | null> {
  const head = await readHead(file)
  // The sites of one network have the same address of the network.
  const found =
    /<wp:base_blog_url>\s*(?:<!\[CDATA\[)?\s*(https?:[^\s<\]]{1,300})/.exec(head) ??
    /<wp:base_site_url>\s*(?:<!\[CDATA\[)?\s*(https?:[^\s<\]]{1,300})/.exec(head)
  const address = found?.[1]
  if (!address || !URL.canParse(address)) return null
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/\/+$/, '')
}

/** The items of an export and the language of its site, one after the other; nothing of the file stays in memory. */
export async function* readItems(source: File): AsyncGenerator<{ item: Item; siteLanguage: string }> {
  // The parser knows the five entities of XML alone, and fetches nothing.
  const parser = new SaxesParser()
  const found: Item[] = []
  const path: string[] = []
  let [item, text, isExport, siteLanguage]: [Item | null, string, boolean, string] = [null, '', false, '']
  let category = { domain: '', nicename: '' }
  let meta = { key: '', value: '' }
  // The parser holds what it did not pass on yet, such as a text whose end never comes.
  let [held, ofItem, count] = [0, 0, 0]
  const passed = () => {
    held = 0
  }
  const add = (more: string) => {
    passed()
    text += more
    ofItem += more.length
    if (text.length > textMax || ofItem > itemMax) throw new UnusableSource(tooLong)
  }
  parser.on('comment', passed)
  parser.on('processinginstruction', passed)
  parser.on('error', () => {
    throw new UnusableSource(unreadable(parser.line))
  })
  parser.on('doctype', () => {
    throw new UnusableSource(declares)
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('opentag', ({ name, attributes }) => {
    passed()
    path.push(name)
    if (path.length > depthMax) throw new UnusableSource(tooDeep)
    text = ''
    if (name === 'item') {
      item = emptyItem()
      ofItem = 0
    } else if (name === 'category') category = { domain: attributes.domain ?? '', nicename: attributes.nicename ?? '' }
    else if (name === 'wp:postmeta') meta = { key: '', value: '' }
    else if (name === 'wp:comment' && item) item.comments += 1
  })
  parser.on('closetag', ({ name }) => {
    passed()
    path.pop()
    const parent = path.at(-1)
    if (name === 'wp:wxr_version') isExport = true
    else if (name === 'language' && parent === 'channel') siteLanguage = text.trim()
    if (item === null) return
    if (name === 'item') {
      found.push(item)
      count += 1
      if (count > itemsMax) throw new UnusableSource(tooMany)
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
    held += piece.length
    parser.write(piece)
    if (held > textMax) throw new UnusableSource(tooLong)
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
  else if (key === '_thumbnail_id') item.thumbnail = value
  else if (key === '_wpml_import_translation_group' && value) item.group = `wpml ${value}`
}
