import type { ReactNode } from 'react'
import { createElement } from 'react'
import { cutAtLinks } from '#src/lib/text/plain-text.ts'

/** Makes the addresses in what people wrote links; nothing else of it becomes markup. */
export function withLinks(text: string): ReactNode[] {
  const { parts, rest } = cutAtLinks(text)
  const rel = 'noopener noreferrer nofollow'
  return parts
    .flatMap<ReactNode>(({ before, address }, key) => [
      before,
      createElement('a', { key, href: address, rel, target: /^http/i.test(address) ? '_blank' : undefined }, address),
    ])
    .concat(rest)
}
