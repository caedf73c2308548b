import type { ReactNode } from 'react'
import { createElement } from 'react'
import { cutAtTelephones } from '#src/lib/text/telephones.ts'
import { withLinks } from './linked-text.ts'

/** Turns the phone numbers of a text into links, for staff who call back; the rest stays plain text. */
export function withTelephones(text: string): ReactNode[] {
  const { parts, rest } = cutAtTelephones(text)
  return parts
    .flatMap<ReactNode>(({ before, number, address }, key) => [
      before,
      createElement('a', { key, href: address, className: 'underline' }, number),
    ])
    .concat(rest)
}

/** The same, and addresses; a number inside an address stays part of it. */
export const withLinksAndTelephones = (text: string): ReactNode[] =>
  withLinks(text).map((part) => (typeof part === 'string' ? withTelephones(part) : part))
