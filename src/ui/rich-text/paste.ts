import type { EditorView } from '@tiptap/pm/view'
import { closeHistory } from '@tiptap/pm/history'
import { DOMParser, Slice } from '@tiptap/pm/model'
import { TextSelection } from '@tiptap/pm/state'
import { isInTable } from '@tiptap/pm/tables'
import { isArticlePicture } from '#src/lib/image-sizes.ts'
import { unwrapLink } from '#src/lib/text/redirects.ts'
import { bodyOf } from './html.ts'
import { blocks, makePlainLists, makeWordLists } from './paste-lists.ts'
import { completeLink, isAllowedLink } from './links.ts'

/** What a paste left out or changed, for the notice of the editor. */
export type PasteLoss = 'pictures' | 'reviewMarks' | 'tables'

/**
 * Inserts pasted or dropped HTML without the markup of word processors, and plain text with its lists and links. Returns what
 * was left out; null where the editor itself inserts the text as it is.
 */
export function insertForeign(view: EditorView, data: DataTransfer | null, at?: number): PasteLoss[] | null {
  const html = data?.getData('text/html')
  const text = data?.getData('text/plain') ?? ''
  const source = html || htmlOfText(text)
  if (!source) return null
  const losses = new Set<PasteLoss>()
  const isLink = !html && !view.state.selection.empty && completeLink(text) !== null
  const body = cleanForeign(source, losses, { isTableAllowed: !isInTable(view.state) })
  if (!html && (isLink || !body.querySelector('ul, ol, a'))) return null
  // A picture alone: what is selected stays.
  if (!body.textContent.trim() && !body.querySelector('img')) return [...losses]
  let slice = DOMParser.fromSchema(view.state.schema).parseSlice(body)
  let tr = closeHistory(view.state.tr)
  if (at !== undefined) tr = tr.setSelection(TextSelection.near(tr.doc.resolve(at)))
  const { $from } = tr.selection
  const isList = /^(?:bullet|ordered)List$/.test(slice.content.firstChild?.type.name ?? '')
  // Behind words a list begins below them; its first item would lose its sign to their paragraph.
  if (isList && $from.parent.isTextblock && $from.parentOffset > 0 && $from.node(-1).type.name !== 'listItem') {
    slice = new Slice(slice.content, 0, slice.openEnd)
  }
  view.dispatch(tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
  return [...losses]
}

/** One paragraph for each line. */
function htmlOfText(text: string) {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  return lines.map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`).join('')
}

function cleanForeign(html: string, losses: Set<PasteLoss>, { isTableAllowed }: { isTableAllowed: boolean }) {
  const body = bodyOf(disarm(html))
  for (const element of body.querySelectorAll('script, meta, link, title, xml, template, iframe, object, svg')) element.remove()
  for (const element of body.querySelectorAll('*')) if (element.localName.includes(':')) unwrap(element)
  // Line breaks that Chromium and Word on the Web append to a copy or a paragraph.
  for (const element of body.querySelectorAll('.Apple-interchange-newline, .EOP')) element.remove()
  if (removeReviewMarks(body)) losses.add('reviewMarks')
  makeWordLists(body)
  for (const image of body.querySelectorAll('img')) {
    if (isArticlePicture(image.getAttribute('src') ?? '')) continue
    // Mails count their readers by a picture of one pixel.
    if (image.getAttribute('width') !== '1') losses.add('pictures')
    image.remove()
  }
  for (const link of body.querySelectorAll('a')) cleanLink(link)
  for (const table of body.querySelectorAll('table')) cleanTable(table, losses, isTableAllowed)
  for (const element of body.querySelectorAll('h1, h2')) rename(element, 'h3')
  for (const element of body.querySelectorAll('h5, h6')) rename(element, 'h4')
  for (const element of body.querySelectorAll('b, strong')) {
    // Google Docs wraps everything in such an element.
    if (/(?<![\w-])font-weight:\s*(?:normal|400)/i.test(styleOf(element))) unwrap(element)
  }
  for (const element of body.querySelectorAll('span, font')) convertStyle(element)
  // A link is underlined by the page.
  for (const element of body.querySelectorAll('a u')) unwrap(element)
  for (const element of body.querySelectorAll('*')) removeAttributes(element)
  for (const element of body.querySelectorAll('p')) {
    if (element.textContent.trim() === '' && !element.querySelector('img') && !element.closest('td, th')) element.remove()
  }
  // Google Docs writes an empty paragraph as a line break between blocks.
  for (const line of body.querySelectorAll('br')) if (isBesideBlocks(line)) line.remove()
  makePlainLists(body)
  linkAddresses(body)
  return body
}

/** Renames style and handler attributes, because the browser would report each one as a CSP violation. */
function disarm(html: string) {
  return html
    .replaceAll(/<!--[\s\S]*?-->|<style[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/\s(style|on[a-z]+)(?=\s*=)/gi, ' data-$1'))
}

/** Deletions that Word tracks; a strikethrough of a page has neither author nor date. */
const deletions = 'del[cite], del[datetime], .msoDel'
const comments =
  '.msocomanchor, .msocomoff, .msocomtxt, .MsoCommentReference, a[href*="#cmnt"]:not([href^="http"]), a[href*="#_msocom"]'
const notes =
  ':is(a[href*="#_ftn"], a[href*="#_edn"], a[href*="#ftnt"]):not([href^="http"]), [id^="sdfootnote"], [id^="sdendnote"], .sdfootnoteanc, .sdendnoteanc'
/** Marks and lists of comments and notes at the end of a document of Word. */
const wordNotes =
  /mso-(?:element:\s*(?:comment|footnote|endnote)|special-character:\s*(?:comment|footnote)|(?:footnote|endnote)-id)/i

/** Removes tracked deletions, comments and notes with their marks; returns whether there were any. */
function removeReviewMarks(body: HTMLElement) {
  const found = new Set(body.querySelectorAll(`${deletions}, ${comments}, ${notes}`))
  for (const element of body.querySelectorAll('[data-style]')) if (wordNotes.test(styleOf(element))) found.add(element)
  for (const element of found) {
    // The text of a note begins with a link back to its mark.
    const isNote = /#(?:_(?:ftn|edn)ref|ftnt_ref|cmnt_ref|_msoanchor)/.test(element.getAttribute('href') ?? '')
    const whole = (isNote && element.closest('p, li')) || element
    const around = whole.parentElement
    whole.remove()
    if (around?.localName === 'sup' && around.textContent.trim() === '') around.remove()
  }
  for (const element of body.querySelectorAll('ins')) unwrap(element)
  return found.size > 0
}

/** Takes the address out of redirects; a link within the document or to a file is no link here. */
function cleanLink(link: Element) {
  const original = link.getAttribute('originalsrc') ?? ''
  const address = unwrapLink(isAllowedLink(original) ? original : (link.getAttribute('href') ?? ''))
  if (isAllowedLink(address)) link.setAttribute('href', address)
  else unwrap(link)
}

/** Keeps a table of at least two columns, with as many cells in each row; a table for layout becomes its content. */
function cleanTable(table: HTMLTableElement, losses: Set<PasteLoss>, isAllowed: boolean) {
  const rows = [...table.rows].filter((row) => row.cells.length > 0)
  const columns = Math.max(0, ...rows.map((row) => [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0)))
  const isLayout = columns < 2 || table.querySelector('table') !== null || table.getAttribute('role') === 'presentation'
  if (isLayout) return becomeContent(table)
  if (!isAllowed || table.parentElement?.closest('table, li')) {
    losses.add('tables')
    for (const row of rows) joinCells(row)
    return becomeContent(table)
  }
  const grid: (Element | undefined)[][] = rows.map(() => [])
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const cell of [...row.cells]) {
      while (grid[y]?.[x]) x += 1
      for (let down = 0; down < (cell.rowSpan || grid.length) && grid[y + down]; down += 1) {
        for (let across = 0; across < Math.min(cell.colSpan, 50); across += 1) {
          const line = grid[y + down]
          // A merged cell keeps its text in its first place; the others are empty.
          if (line) line[x + across] = down + across === 0 ? cell : table.ownerDocument.createElement(cell.localName)
        }
      }
      x += cell.colSpan
    }
  }
  const width = Math.max(...grid.map((line) => line.length))
  const inside = table.ownerDocument.createElement('tbody')
  for (const [y, line] of grid.entries()) {
    const row = table.ownerDocument.createElement('tr')
    const isHead = rows[y]?.parentElement?.localName === 'thead'
    for (let x = 0; x < width; x += 1) {
      const cell = line[x] ?? table.ownerDocument.createElement('td')
      row.append(cell)
      if (isHead && cell.localName !== 'th') rename(cell, 'th')
    }
    if (row.querySelector('td')) for (const head of row.querySelectorAll('th:not([scope])')) head.setAttribute('scope', 'row')
    inside.append(row)
  }
  if (table.caption) {
    const caption = table.ownerDocument.createElement('p')
    caption.append(...table.caption.childNodes)
    table.before(caption)
  }
  table.replaceChildren(inside)
}

/** Puts the content of each cell in place of the table. */
function becomeContent(table: HTMLTableElement) {
  const cells = [...table.rows].flatMap((row) => [...row.cells])
  const parts = [...(table.caption ? [table.caption] : []), ...cells].map((part) => {
    const block = table.ownerDocument.createElement('div')
    block.append(...part.childNodes)
    return block
  })
  table.replaceWith(...parts)
}

// Word adds `mso-bidi-font-weight` beside `font-weight`, for other scripts.
const meanings: [RegExp, string][] = [
  [/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/(?<![\w-])font-style:\s*italic/i, 'em'],
  [/(?<![\w-])text-decoration[^;]*underline/i, 'u'],
  [/(?<![\w-])text-decoration[^;]*line-through/i, 's'],
  [/(?<![\w-])vertical-align:\s*super/i, 'sup'],
  [/(?<![\w-])vertical-align:\s*sub/i, 'sub'],
]

/** Converts a style to the element with the same meaning. */
function convertStyle(element: Element) {
  const style = styleOf(element)
  for (const [pattern, name] of meanings) {
    if (!pattern.test(style)) continue
    const inside = element.ownerDocument.createElement(name)
    inside.append(...element.childNodes)
    element.append(inside)
  }
  unwrap(element)
}

/** Converts a table row to one paragraph, at most one line for each cell. */
function joinCells(row: HTMLTableRowElement) {
  const cells = [...row.cells]
  if (cells.length < 2 || cells.some((cell) => cell.querySelectorAll('p, li, div, br').length > 1)) return
  const line = row.ownerDocument.createElement('p')
  for (const [index, cell] of cells.entries()) {
    for (const block of cell.querySelectorAll('p, div, br')) unwrap(block)
    line.append(...(index > 0 ? [' · '] : []), ...cell.childNodes)
  }
  const only = row.insertCell()
  for (const cell of cells) cell.remove()
  only.append(line)
}

function isBesideBlocks(line: Element) {
  const isEdge = (node: Node | null, next: (node: Node) => Node | null): boolean => {
    if (node?.nodeName === 'BR' || (node && node.nodeType !== Node.ELEMENT_NODE && !node.textContent?.trim()))
      return isEdge(next(node), next)
    return node === null ? line.parentElement?.localName === 'body' : node instanceof Element && node.matches(blocks)
  }
  return isEdge(line.previousSibling, (node) => node.previousSibling) && isEdge(line.nextSibling, (node) => node.nextSibling)
}

const addresses = /(?:https?:\/\/|www\.)[^\s<>"«»]+|(?<![\p{L}\p{N}._+-])[\p{L}\p{N}._+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu

/** Without the punctuation of the sentence around it; a parenthesis that the address opens is its own. */
function withoutEnd(found: string) {
  let address = found
  const excess = () => address.split(')').length > address.split('(').length
  while (/[.,;:!?\]’”'…]$/u.test(address) || (address.endsWith(')') && excess())) address = address.slice(0, -1)
  return address
}

/** Makes links of the addresses in a text, as typing them does. */
function linkAddresses(body: HTMLElement) {
  const page = body.ownerDocument
  const walker = page.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) if (!walker.currentNode.parentElement?.closest('a')) texts.push(walker.currentNode as Text)
  for (const node of texts) {
    const parts: (string | Node)[] = []
    let done = 0
    for (const { 0: found, index } of node.data.matchAll(addresses)) {
      const address = withoutEnd(found)
      const href = completeLink(address)
      if (!href) continue
      const link = page.createElement('a')
      link.setAttribute('href', href)
      link.textContent = address
      parts.push(node.data.slice(done, index), link)
      done = index + address.length
    }
    if (done > 0) node.replaceWith(...parts, node.data.slice(done))
  }
}

function removeAttributes(element: Element) {
  for (const { name } of [...element.attributes]) {
    const isKept =
      element.localName === 'a' ? name === 'href' : element.localName === 'img' || name === 'start' || name === 'scope'
    if (!isKept || name.startsWith('data-')) element.removeAttribute(name)
  }
}

function rename(element: Element, name: string) {
  const renamed = element.ownerDocument.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

function unwrap(element: Element) {
  element.replaceWith(...element.childNodes)
}

function styleOf(element: Element) {
  return element.getAttribute('data-style') ?? ''
}
