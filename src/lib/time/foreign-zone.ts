import type { Language } from '../language/language.ts'

export type Zone = { zone_name: string; zone_name_en: string; utc_offset: number }

/** The company's time zone in parentheses where the reader's clock has another offset; otherwise empty. */
export function foreignZone(zone: Zone, language: Language, clock: Pick<Date, 'getTimezoneOffset'> = new Date()) {
  if (clock.getTimezoneOffset() === -zone.utc_offset) return ''
  return ` (${language === 'fr' ? zone.zone_name : zone.zone_name_en})`
}
