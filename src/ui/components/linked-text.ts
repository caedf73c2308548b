import type { ReactNode } from 'react'
import { createElement } from 'react'

/** Up to the space, the bracket or the punctuation that ends a sentence. */
const links = /(?:https?:\/\/|mailto:|tel:)[^\s<>"'`«»“”]*[^\s<>"'`«»“”.,;:!?…)\]}’]/gi

/** Makes the addresses in what people wrote links; nothing else of it becomes markup. */
export function withLinks(text: string): ReactNode {
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(links)) {
    const address = closeParenthesis(text, index, found)
    if (!URL.canParse(address)) continue
    const isPage = /^http/i.test(address)
    const attributes = { key: index, href: address, rel: 'noopener noreferrer nofollow', ...(isPage ? { target: '_blank' } : {}) }
    parts.push(text.slice(end, index), createElement('a', attributes, address))
    end = index + address.length
  }
  return end === 0 ? text : [...parts, text.slice(end)]
}

/** `https://example.com/a_(b)` ends with its parenthesis, `(https://example.com)` before it. */
function closeParenthesis(text: string, index: number, found: string) {
  const isOpen = found.split('(').length > found.split(')').length
  return isOpen && text[index + found.length] === ')' ? `${found})` : found
}
