/** Names of a French field and its English counterpart. */
export type Pair = readonly [french: string, english: string]

/** French fields whose English is outdated, with the time since (ISO 8601). */
export type EnglishOlder = Record<string, string>

/**
 * Updates the list after a save: the English is outdated once the French changed alone, until the English is changed or marked
 * as reviewed. An empty English is missing, not outdated.
 */
export function updateEnglishOlder(
  pairs: readonly Pair[],
  older: EnglishOlder | undefined,
  before: object,
  after: object,
  reviewed: readonly string[] = [],
): EnglishOlder {
  const now = new Date().toISOString()
  const next: EnglishOlder = {}
  for (const [french, english] of pairs) {
    if (isBlank(after, french) || isBlank(after, english) || reviewed.includes(french)) continue
    if (valueOf(before, english) !== valueOf(after, english)) continue
    const since = older?.[french] ?? (valueOf(before, french) === valueOf(after, french) ? undefined : now)
    if (since) next[french] = since
  }
  return next
}

/** Names of the French fields that have no English. */
export function missingEnglish(pairs: readonly Pair[], entry: object) {
  return pairs.filter(([french, english]) => !isBlank(entry, french) && isBlank(entry, english)).map(([french]) => french)
}

function valueOf(entry: object, field: string) {
  return (entry as Record<string, unknown>)[field]
}

function isBlank(entry: object, field: string) {
  return String(valueOf(entry, field) ?? '').trim() === ''
}
