import type { Language } from '#src/lib/language/language.ts'

/** Names the feed of a page (`{path}/feed.{language}.xml`) for feed readers. */
export function feedTag(path: string, language: Language, title: string) {
  return { tagName: 'link' as const, rel: 'alternate', type: 'application/atom+xml', title, href: `${path}/feed.${language}.xml` }
}
