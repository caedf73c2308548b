/** The named parameters that are present and not empty. */
export function pickQuery(query: URLSearchParams, names: readonly string[]) {
  const kept = names.flatMap((name) => {
    const value = query.get(name)?.trim()
    return value ? [[name, value]] : []
  })
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`
}

/** A copy with these values changed; null removes one. */
export function changeQuery(query: URLSearchParams, changes: Record<string, string | null>) {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next
}
