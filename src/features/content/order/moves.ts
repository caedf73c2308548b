/** The list with one of its entries at another place. */
export function moveTo<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const place = Math.min(Math.max(to, 0), entries.length - 1)
  const moved = entries.toSpliced(from, 1)
  const entry = entries[from]
  return entry === undefined ? [...entries] : moved.toSpliced(place, 0, entry)
}

/** Where a key moves the entry; null for other keys. */
export function placeOfKey(key: string, place: number, count: number) {
  const places: Record<string, number> = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: count - 1 }
  const to = places[key]
  return to === undefined ? null : Math.min(Math.max(to, 0), count - 1)
}

/** The place of a row whose middle is at `y`, among the middles of the others from top to bottom. */
export const placeAt = (y: number, middles: readonly number[]) => middles.filter((middle) => middle < y).length
