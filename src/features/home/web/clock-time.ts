import type { Language } from '#src/lib/language.ts'

/** `17:00` as one says it: `17 h`, `8 h 30`, `5 p.m.`, `8:30 a.m.`. */
export function clockTime(language: Language, time: string) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const tail = minutes ? String(minutes).padStart(2, '0') : ''
  if (language === 'fr') return tail ? `${hours}\u00a0h\u00a0${tail}` : `${hours}\u00a0h`
  const half = hours < 12 ? 'a.m.' : 'p.m.'
  const twelve = hours % 12 || 12
  return tail ? `${twelve}:${tail}\u00a0${half}` : `${twelve}\u00a0${half}`
}
