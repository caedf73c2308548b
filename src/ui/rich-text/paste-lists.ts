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

export const blocks = 'p, div, ul, ol, table, h3, h4, blockquote'
const bullet = /^\s*[-–•*·▪●]\s+(?=\S)/
const number = /^\s*(\d{1,3})[.)]\s+(?=\S)/

/** Makes lists of lines that begin with a dash, a bullet or a number, where at least two follow each other. */
export function makePlainLists(body: HTMLElement) {
  if (!bullet.test(body.textContent) && !/[-–•*·▪●]|\d[.)]/.test(body.textContent)) return
  for (const container of [body, ...body.querySelectorAll<HTMLElement>('div')]) wrapLooseText(container)
  for (const block of body.querySelectorAll<HTMLElement>('p, div')) splitLines(block)
  const parents = new Set([...body.querySelectorAll('p, div')].map(({ parentElement }) => parentElement))
  for (const parent of parents) {
    if (!parent || parent.closest('li')) continue
    let run: Element[] = []
    for (const child of [...parent.children, null]) {
      const isBlank = child?.textContent.trim() === '' && !child.querySelector('img')
      if (child && continues(run, child)) run.push(child)
      else if (!isBlank || run.length === 0) {
        makeList(run)
        run = child && continues([], child) ? [child] : []
      }
    }
  }
}

/** Whether this line is the next one of the list, or the first of a new one. */
function continues(run: Element[], line: Element) {
  if (line.localName !== 'p' && line.localName !== 'div') return false
  if (line.querySelector(blocks)) return false
  const first = run[0]?.textContent ?? ''
  if (bullet.test(line.textContent)) return run.length === 0 || bullet.test(first)
  return Number(number.exec(line.textContent)?.[1]) === run.length + 1 && (run.length === 0 || number.test(first))
}

function makeList(run: Element[]) {
  const [first, ...others] = run
  if (!first || others.length === 0) return
  const page = first.ownerDocument
  const sign = number.test(first.textContent) ? number : bullet
  const list = page.createElement(sign === number ? 'ol' : 'ul')
  first.before(list)
  for (const line of run) {
    cutStart(line, sign.exec(line.textContent)?.[0].length ?? 0)
    const item = page.createElement('li')
    const inside = page.createElement('p')
    inside.append(...line.childNodes)
    item.append(inside)
    // Blank lines between two items.
    while (list.nextElementSibling !== line) list.nextElementSibling?.remove()
    line.remove()
    list.append(item)
  }
}

/** Removes so many characters from the beginning of an element, whatever they are nested in. */
function cutStart(element: Element, count: number) {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let left = count
  while (left > 0 && walker.nextNode()) {
    const text = walker.currentNode as Text
    const cut = Math.min(left, text.length)
    text.deleteData(0, cut)
    left -= cut
  }
}

/** Wraps text that stands beside blocks, or alone, in a paragraph. */
function wrapLooseText(container: HTMLElement) {
  if (container.localName === 'div' && !container.querySelector(blocks)) return
  let paragraph: HTMLElement | null = null
  for (const node of [...container.childNodes]) {
    const isBlock =
      node instanceof Element &&
      (node.matches(blocks) || node.matches('h1, h2, img, li, tr') || node.querySelector(blocks) !== null)
    if (isBlock) paragraph = null
    else if (paragraph) paragraph.append(node)
    else if (node.textContent?.trim()) {
      paragraph = container.ownerDocument.createElement('p')
      node.replaceWith(paragraph)
      paragraph.append(node)
    }
  }
}

/** Makes a paragraph of each line of a block that holds a list with line breaks. */
function splitLines(block: HTMLElement) {
  if (block.querySelector(blocks) || ![...block.children].some(({ localName }) => localName === 'br')) return
  const lines: Node[][] = [[]]
  for (const node of block.childNodes) {
    if (node.nodeName === 'BR') lines.push([])
    else lines.at(-1)?.push(node)
  }
  const paragraphs = lines.map((nodes) => {
    const paragraph = block.ownerDocument.createElement('p')
    paragraph.append(...nodes.map((node) => node.cloneNode(true)))
    return paragraph
  })
  const isList = paragraphs.some((one, index) => {
    const next = paragraphs[index + 1]
    return next && continues([], one) && continues([one], next)
  })
  if (isList) block.replaceWith(...paragraphs)
}
