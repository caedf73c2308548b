import type { Language } from '#src/lib/language/language.ts'
import { locales } from '#src/lib/language/language.ts'
import type { Translate } from '#src/lib/language/texts.ts'
import { escapeXml as escape } from '#src/lib/text/escape.ts'
import { addDays, formatDay } from '#src/lib/time/dates.ts'
import type { Ribbon } from './contract.ts'
import type { statusTexts } from './status-texts.ts'
import type { NetworkStatus } from './values.ts'
import { ribbonDays } from './values.ts'

type Context = { t: Translate<keyof (typeof statusTexts)['fr']>; language: Language }

/** `2 h 03`, or `12 min`. */
export const formatMinutes = (minutes: number) => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest}\u00a0min`
  return rest ? `${hours}\u00a0h\u00a0${String(rest).padStart(2, '0')}` : `${hours}\u00a0h`
}

/** A new formatter for each of 3,000 components would take most of the time of the page. */
const shareFormats = new Map<Language, Intl.NumberFormat>()

function formatShare(share: number, language: Language) {
  const format =
    shareFormats.get(language) ??
    new Intl.NumberFormat(locales[language], { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 })
  shareFormats.set(language, format)
  return format.format(Math.floor(share * 1e4) / 1e4)
}

/** The cell of the availability; `note` is HTML. */
export const renderShare = (share: number | null, note: string, language: Language) =>
  `<td class="r net-share font-bold">${share === null ? '' : escape(formatShare(share, language))}${note}</td>`

/**
 * Without what time alone changes while something is down: an open page need not load all that is broken again for it. It
 * comes with the next change of its network, such as its repair.
 */
export const withoutShares = (html: string) => html.replaceAll(/(<td class="r net-share font-bold">)\d+(?:[.,]\d+)?/g, '$1')

const runningLetters: Partial<Record<string, NetworkStatus>> = { w: 'WARNING', e: 'ERROR' }

/** Of today only what is shown, or the lengths would change each minute: of what still runs that is since when. */
function settle({ days, lengths }: Ribbon, status: NetworkStatus, since: string) {
  const last = days.length - 1
  const [letter = '', today] = [days[last], lengths[last]]
  if (!today) return { lengths, runningSince: '' }
  const runningSince = runningLetters[letter] === status ? since : ''
  const shown = runningSince ? -1 : 'ewm'.indexOf(letter)
  return { lengths: { ...lengths, [last]: today.map((minutes, index) => (index === shown ? minutes : 0)) }, runningSince }
}

/** One tab stop; screen readers get a list of the days with problems. `since` is when the present status began, in words. */
export function renderRibbon(
  name: string,
  ribbon: Ribbon,
  first: string,
  context: Context,
  status: NetworkStatus,
  since: string,
) {
  const { t, language } = context
  const { days } = ribbon
  const { lengths, runningSince } = settle(ribbon, status, since)
  const bad = Object.entries(lengths)
  const count = (letter: string) => days.split(letter).length - 1
  const [down, degraded] = [count('e'), count('w')]
  const summary = down + degraded > 0 ? t('daysBad', { down, degraded }) : t('allDaysWell')
  const label = t('ribbonOf', { name, days: ribbonDays, summary })
  const list = bad.map(([index, length]) => {
    const day = formatDay(addDays(first, Number(index)), language)
    const running = Number(index) === days.length - 1 ? runningSince : ''
    return `<li>${escape(t('dayIs', { day, state: describeDay(days[Number(index)] ?? '.', length, t, running) }))}</li>`
  })
  const more = bad.length > 0 ? `<ul class="sr-only">${list.join('')}</ul>` : ''
  const data = [
    `data-days="${days}"`,
    ...(bad.length > 0 ? [`data-lengths="${escape(JSON.stringify(lengths))}"`] : []),
    ...(runningSince ? [`data-since="${escape(runningSince)}"`] : []),
  ]
  return `<div class="ribbon" role="img" aria-label="${escape(label)}" title="${escape(t('hint'))}" ${data.join(' ')}>${drawRibbon(days)}</div>${more}`
}

/** State and length of one day, in words; of one that still runs, since when. */
export function describeDay(letter: string, length: readonly number[] | undefined, t: Context['t'], since = '') {
  const [down = 0, degraded = 0, maintenance = 0] = length ?? []
  if (letter === 'e') return t('dayDown', { time: since || formatMinutes(down) })
  if (letter === 'w') return t('dayDegraded', { time: since || formatMinutes(degraded) })
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
