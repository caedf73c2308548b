import { useSyncExternalStore } from 'react'

/** From which width on so many conversations stand side by side. */
const widths: [columns: number, query: string][] = [
  [4, '(width >= 150rem)'],
  [3, '(width >= 112rem)'],
  [2, '(width >= 86rem)'],
]

export function useColumns() {
  return useSyncExternalStore(subscribe, read, () => 1)
}

function read() {
  return widths.find(([, query]) => matchMedia(query).matches)?.[0] ?? 1
}

function subscribe(listener: () => void) {
  const lists = widths.map(([, query]) => matchMedia(query))
  for (const list of lists) list.addEventListener('change', listener)
  return () => {
    for (const list of lists) list.removeEventListener('change', listener)
  }
}
