import type { EditorView } from '@tiptap/pm/view'
import { DOMParser } from '@tiptap/pm/model'
import { TextSelection } from '@tiptap/pm/state'
import { bodyOf } from './html.ts'

/** Inserts pasted or dropped HTML without the markup of word processors; returns false for plain text. */
export function insertForeign(view: EditorView, data: DataTransfer | null, at?: number) {
  const html = data?.getData('text/html')
  if (!html) return false
  const slice = DOMParser.fromSchema(view.state.schema).parseSlice(cleanForeign(html))
  let { tr } = view.state
  if (at !== undefined) tr = tr.setSelection(TextSelection.near(tr.doc.resolve(at)))
  view.dispatch(tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
  return true
}

function cleanForeign(html: string) {
  const body = bodyOf(disarm(html))
  for (const element of body.querySelectorAll('script, meta, link, title, xml, template, iframe, object, svg')) element.remove()
  for (const element of body.querySelectorAll('*')) if (element.localName.includes(':')) unwrap(element)
  // Line breaks that Chromium and Word on the Web append to a copy or a paragraph.
  for (const element of body.querySelectorAll('.Apple-interchange-newline, .EOP')) element.remove()
  makeWordLists(body)
  for (const row of body.querySelectorAll('tr')) joinCells(row)
  for (const element of body.querySelectorAll('h1, h2')) rename(element, 'h3')
  for (const element of body.querySelectorAll('h5, h6')) rename(element, 'h4')
  for (const element of body.querySelectorAll('b, strong')) {
    // Google Docs wraps everything in such an element.
    if (/(?<![\w-])font-weight:\s*(?:normal|400)/i.test(styleOf(element))) unwrap(element)
  }
  for (const element of body.querySelectorAll('span, font')) convertStyle(element)
  for (const element of body.querySelectorAll('*')) removeAttributes(element)
  for (const element of body.querySelectorAll('p')) {
    if (element.textContent.trim() === '' && !element.querySelector('img')) element.remove()
  }
  return body
}

/** Renames style and handler attributes, because the browser would report each one as a CSP violation. */
function disarm(html: string) {
  return html
    .replaceAll(/<!--[\s\S]*?-->|<style[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/\s(style|on[a-z]+)(?=\s*=)/gi, ' data-$1'))
}

// Word adds `mso-bidi-font-weight` beside `font-weight`, for other scripts.
const meanings: [RegExp, string][] = [
  [/(?<![\w-])font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/(?<![\w-])font-style:\s*italic/i, 'em'],
  [/(?<![\w-])text-decoration[^;]*underline/i, 'u'],
  [/(?<![\w-])text-decoration[^;]*line-through/i, 's'],
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

function removeAttributes(element: Element) {
  for (const { name } of [...element.attributes]) {
    if (!(element.localName === 'a' && name === 'href') && name !== 'start') element.removeAttribute(name)
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

/**
 * Word writes a list as paragraphs with a level in their style (passed as `data-style` by the caller) and the bullet in the
 * text. Converts them to lists.
 */
export function makeWordLists(body: HTMLElement) {
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3')]) {
    const level = levelOf(paragraph)
    if (level === null) continue
    const sign = signOf(paragraph)
    const item = body.ownerDocument.createElement('li')
    const inside = body.ownerDocument.createElement('p')
    inside.append(...paragraph.childNodes)
    item.append(inside)
    const list = listFor(paragraph, level, isNumber(sign) ? 'ol' : 'ul')
    list.append(item)
    paragraph.remove()
  }
}

function levelOf(element: Element) {
  const style = element.getAttribute('data-style') ?? ''
  const level = /mso-list:[^;]*level(\d)/i.exec(style)?.[1]
  return level ? Number(level) : null
}

/** Removes the bullet or number from the text, and returns it. */
function signOf(paragraph: Element) {
  const drawn = [...paragraph.querySelectorAll('[data-style]')].find((element) =>
    /mso-list:\s*ignore/i.test(element.getAttribute('data-style') ?? ''),
  )
  const sign = drawn?.textContent?.trim() ?? ''
  drawn?.remove()
  return sign
}

function isNumber(sign: string) {
  return /^(?:\d+|[a-z]|[ivxlc]+)[.)]/i.test(sign)
}

/** The list that the paragraph continues at its level, or a new list. */
function listFor(paragraph: Element, level: number, name: 'ul' | 'ol') {
  const page = paragraph.ownerDocument
  const before = paragraph.previousElementSibling
  let list: Element = page.createElement(name)
  if (before && isList(before) && (level > 1 || before.localName === name)) list = before
  else paragraph.before(list)
  for (let depth = 1; depth < level; depth += 1) {
    const last: Element | null = list.lastElementChild
    if (!last) break
    const inner: Element | null = last.lastElementChild
    if (inner && isList(inner)) list = inner
    else {
      list = page.createElement(name)
      last.append(list)
    }
  }
  return list
}

function isList(element: Element) {
  return element.localName === 'ul' || element.localName === 'ol'
}
