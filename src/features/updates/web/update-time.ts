import { company } from '#company/company.ts'
import { formatDay } from '#src/lib/time/dates.ts'
import { clock } from '#src/lib/time/clock.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Translate } from '#src/lib/language/texts.ts'
import { localTime } from '#src/lib/time/zoned-time.ts'

/** Day and time of an instant in the company's time zone, as text. */
export function describeInstant(instant: Date | string, language: Language) {
  const [day = '', time = ''] = localTime(company.hours.timeZone, new Date(instant)).split('T')
  return { day: formatDay(day, language), time: clock(time, language) }
}

/** "today at 10 PM", or with the day. */
export function describeWhen(instant: string, language: Language, t: Translate<'today' | 'onDay'>, now: number) {
  const { day, time } = describeInstant(instant, language)
  const isToday = day === describeInstant(new Date(now), language).day
  return isToday ? t('today', { time }) : t('onDay', { day, time })
}

const second = 1_000
const two = (count: number) => String(count).padStart(2, '0')

/** Time left until an instant: in days and hours while far, in seconds when near. */
export function describeCountdown(ms: number, t: Translate<'inDays' | 'inHours' | 'inMinutes'>) {
  const seconds = Math.max(0, Math.ceil(ms / second))
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60]
  if (days > 0) return t('inDays', { days, hours })
  if (hours > 0) return t('inHours', { hours, minutes: two(minutes), seconds: two(seconds % 60) })
  return t('inMinutes', { minutes, seconds: two(seconds % 60) })
}
