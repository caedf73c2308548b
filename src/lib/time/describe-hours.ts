import type { OpenDay } from './business-hours.ts'
import { dayNames } from './calendar-words.ts'
import type { Language } from '../language/language.ts'
import { locales } from '../language/language.ts'

type Hours = { days: number[]; opens: string; closes: string }

/** A week whose days may differ: Monday to Thursday, 8 AM to 5 PM; Friday, 8 AM to 12 PM. */
export function describeWeek(week: readonly OpenDay[], language: Language) {
  const groups: Hours[] = []
  for (const { day, opens, closes } of week.toSorted((one, other) => one.day - other.day)) {
    const same = groups.find((group) => group.opens === opens && group.closes === closes)
    if (same) same.days.push(day)
    else groups.push({ days: [day], opens, closes })
  }
  return groups.map((group) => describeHours(group, language)).join('; ')
}

/** Monday to Friday, 8 AM to 5 PM. */
export function describeHours({ days, opens, closes }: Hours, language: Language) {
  const names = days.map((day) => dayNames[language][day - 1] ?? '')
  const follow = days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1)
  const [first = '', last = ''] = [names[0], names.at(-1)]
  if (language === 'fr') {
    const when = follow && days.length > 2 ? `du ${first} au ${last}` : new Intl.ListFormat(locales.fr).format(names)
    return `${when}, de ${clock(opens, language)} à ${clock(closes, language)}`
  }
  const when = follow && days.length > 2 ? `${first} to ${last}` : new Intl.ListFormat(locales.en).format(names)
  return `${when}, ${clock(opens, language)} to ${clock(closes, language)}`
}

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
