const names = ['from', 'to', 'search', 'page']

/** What the list shows, as its address and the API's say it; what is empty stays out. */
export function listQuery(query: URLSearchParams, changes: Record<string, string | number> = {}) {
  const next = new URLSearchParams()
  for (const name of names) {
    const value = String(changes[name] ?? query.get(name) ?? '').trim()
    if (value) next.set(name, value)
  }
  return next.size > 0 ? `?${next.toString()}` : ''
}
