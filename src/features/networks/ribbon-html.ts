import type { Language } from '#src/lib/language/language.ts'
import type { Translate } from '#src/lib/language/texts.ts'
import { escapeXml as escape } from '#src/lib/text/escape.ts'
import { addDays, formatDay } from '#src/lib/time/dates.ts'
import type { Ribbon } from './contract.ts'
import type { statusTexts } from './status-texts.ts'
import { ribbonDays } from './values.ts'

type Context = { t: Translate<keyof (typeof statusTexts)['fr']>; language: Language }

/** `2 h 03`, or `12 min`. */
export const formatMinutes = (minutes: number) => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest}\u00a0min`
  return rest ? `${hours}\u00a0h\u00a0${String(rest).padStart(2, '0')}` : `${hours}\u00a0h`
}

/** One tab stop; screen readers get a list of the days with problems. */
export function renderRibbon(name: string, { days, lengths }: Ribbon, first: string, context: Context) {
  const { t, language } = context
  const bad = Object.entries(lengths)
  const count = (letter: string) => days.split(letter).length - 1
  const [down, degraded] = [count('e'), count('w')]
  const summary = down + degraded > 0 ? t('daysBad', { down, degraded }) : t('allDaysWell')
  const label = t('ribbonOf', { name, days: ribbonDays, summary })
  const list = bad.map(([index, length]) => {
    const day = formatDay(addDays(first, Number(index)), language)
    return `<li>${escape(t('dayIs', { day, state: describeDay(days[Number(index)] ?? '.', length, t) }))}</li>`
  })
  const more = bad.length > 0 ? `<ul class="sr-only">${list.join('')}</ul>` : ''
  return `<div class="ribbon" tabindex="0" role="img" aria-label="${escape(label)}" title="${escape(t('hint'))}" data-days="${days}"${bad.length > 0 ? ` data-lengths="${escape(JSON.stringify(lengths))}"` : ''}>${drawRibbon(days)}</div>${more}`
}

/** State and length of one day, in words. */
export function describeDay(letter: string, length: readonly number[] | undefined, t: Context['t']) {
  const [down = 0, degraded = 0, maintenance = 0] = length ?? []
  if (letter === 'e') return t('dayDown', { time: formatMinutes(down) })
  if (letter === 'w') return t('dayDegraded', { time: formatMinutes(degraded) })
  if (letter === 'm') return t('dayMaintenance', { time: formatMinutes(maintenance) })
  return t(letter === 'o' ? 'dayOk' : 'dayNone')
}

/** Five units a day. Runs of well days are one dashed stroke; a spike, a broken bar, a hollow pill and a dot are the others. */
export function drawRibbon(days: string) {
  const paths = { o: '', w: '', e: '', m: '', '.': '' }
  for (let index = 0; index < days.length; index += 1) {
    const x = index * 5
    const letter = days[index] as keyof typeof paths
    if (letter === 'o' || letter === '.') {
      let end = index
      while (days[end + 1] === letter) end += 1
      paths[letter] += `M${letter === 'o' ? x + 0.5 : x + 1.5} 12h${(end - index) * 5 + (letter === 'o' ? 3 : 1)}`
      index = end
    } else if (letter === 'w') paths.w += `M${x - 1} 23l3-22 3 22z`
    else if (letter === 'e') paths.e += `M${x} 0h4v9h-4zm0 15h4v9h-4z`
    else paths.m += `M${x + 0.5} 6.5h3v11h-3z`
  }
  const drawn = (Object.keys(paths) as (keyof typeof paths)[])
    .filter((letter) => paths[letter])
    .map((letter) => `<path class="d-${letter === '.' ? 'n' : letter}" d="${paths[letter]}"/>`)
  return `<svg viewBox="0 0 ${days.length * 5} 24" preserveAspectRatio="none" aria-hidden="true">${drawn.join('')}</svg>`
}
