import type { Language } from '../language/language.ts'

// Apart from business-hours.ts: every public page shows a time of day, few know what hours are.

/** Formats HH:mm: `17 h`, `5 PM`. */
export function clock(time: string, language: Language) {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const minutes = String(minute).padStart(2, '0')
  if (language === 'fr') return `${hour}\u00a0h${minute === 0 ? '' : `\u00a0${minutes}`}`
  return `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${minutes}`}\u00a0${hour < 12 ? 'AM' : 'PM'}`
}

/** The local time (HH:mm) of an instant in a time zone. */
export function clockIn(timeZone: string, instant: Date) {
  return new Intl.DateTimeFormat('en-CA', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant)
}

export type Zone = { zone_name: string; zone_name_en: string; utc_offset: number }

/** The company's time zone in parentheses where the reader's clock has another offset; otherwise empty. */
export function foreignZone(zone: Zone, language: Language, clock: Pick<Date, 'getTimezoneOffset'> = new Date()) {
  if (clock.getTimezoneOffset() === -zone.utc_offset) return ''
  return ` (${language === 'fr' ? zone.zone_name : zone.zone_name_en})`
}
