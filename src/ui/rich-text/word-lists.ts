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
