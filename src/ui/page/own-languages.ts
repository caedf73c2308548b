import type { MetaDescriptor } from 'react-router'

/**
 * Tags of an entry whose English page has another address, or none: `french` and `english` are its paths, `english` null
 * where nothing of it is in English. Its English view then names the French page as the one to be found.
 */
export function inOwnLanguages(tags: MetaDescriptor[], french: string, english: string | null) {
  const [from, to] = [`${french}?lang=en`, english === null ? french : `${english}?lang=en`]
  const change = (value: unknown) =>
    typeof value === 'string' && value.endsWith(from) ? value.slice(0, -from.length) + to : value
  return tags
    .filter((tag) => english !== null || !('hrefLang' in tag && tag.hrefLang === 'en'))
    .map((tag): MetaDescriptor => Object.fromEntries(Object.entries<unknown>(tag).map(([key, value]) => [key, change(value)])))
}
