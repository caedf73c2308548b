import { company } from '#company/company.ts'
import { statusDrawings } from '#src/ui/components/status-drawings.ts'
import type { Language } from '#src/lib/language/language.ts'
import { addressInLanguage, defaultLanguage, locales, pickText, pickVariant } from '#src/lib/language/language.ts'
import type { Translate } from '#src/lib/language/texts.ts'
import { translator } from '#src/lib/language/texts.ts'
import { escapeXml as escape } from '#src/lib/text/escape.ts'
import { formatDateTime, formatTime } from '#src/lib/time/date-time.ts'
import { addDays, dayIn, formatDay } from '#src/lib/time/dates.ts'
import type { Incident, Network, Ribbon } from './contract.ts'
import { drawRibbon, formatMinutes, renderRibbon, renderShare } from './ribbon-html.ts'
import { statusTexts } from './status-texts.ts'
import type { IncidentPhase, NetworkStatus } from './values.ts'
import { detailStatuses, elementName, incidentPhases, readDetails, phoneDays, ribbonDays, worstStatus } from './values.ts'

/*
 * The parts of the status page that change with the networks, as HTML: the server writes them once for everybody, the page
 * puts them in place without scripts of its own for them, and the static copy is made of the same.
 */

export type StatusInput = { networks: readonly Network[]; ribbons: readonly Ribbon[]; incidents: readonly Incident[] }
export type StatusView = 'ribbon' | 'long' | 'icons'
type Context = { heading?: string; t: Translate<keyof (typeof statusTexts)['fr']>; language: Language; now: number }

const { timeZone } = company.hours
const dayMs = 86_400_000
const words = { OK: 'working', WARNING: 'degradedWord', ERROR: 'downWord' } as const
const tones = { OK: 'ok', WARNING: 'warn', ERROR: 'err' } as const
const contextOf = (language: Language, now: number): Context => ({ t: translator(statusTexts, language), language, now })

/** Drawn once; everything else refers to it. */
export const statusSymbols = `<svg class="hidden" width="0" height="0">${Object.entries(statusDrawings)
  .map(
    ([status, { shape, mark }]) =>
      `<symbol id="s-${status}" viewBox="0 0 24 24"><path d="${shape}" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/><path class="s-mark" d="${mark}" fill="none" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></symbol>`,
  )
  .join('')}</svg>`

const icon = (status: NetworkStatus, label = '', muted = false) =>
  `<svg class="s-icon ${muted ? 'icon-muted text-line' : `text-${tones[status]}`}" ${label ? `role="img" aria-label="${label}"` : 'aria-hidden="true"'}><use href="#s-${status}"/></svg>`

const tag = (name: string, lang: string | undefined, text: string, classes = '') =>
  `<${name}${classes && ` class="${classes}"`}${lang ? ` lang="${lang}"` : ''}>${escape(text)}</${name}>`

const linkTo = (path: string, { language }: Context) => (language === defaultLanguage ? path : addressInLanguage(path, language))

/** `8 h 40` today, else with its date. */
const isToday = (at: string, { now }: Context) => dayIn(timeZone, new Date(at)) === dayIn(timeZone, new Date(now))

const formatSince = (at: string, context: Context) =>
  isToday(at, context) ? formatTime(at, context.language, timeZone) : formatDateTime(at, context.language, { timeZone })

const describeSince = (at: string, context: Context) =>
  context.t(isToday(at, context) ? 'since' : 'sinceDay', { since: formatSince(at, context) })

/** An element's name in the language of the page; one with a state may have none. */
const nameOf = ({ nom, nom_en }: { nom: string; nom_en: string }, { t, language }: Context) =>
  pickText(language, nom, nom_en) || t('namelessElement')

type Problem = { network: Network; nom: string; name: string; status: NetworkStatus; isOffline: boolean; since: string | null }

/** What is not well, worst first; a network that is offline counts once. */
function findProblems({ networks, ribbons, incidents }: StatusInput, context: Context): Problem[] {
  const { t } = context
  const changedOf = new Map(ribbons.map(({ id_reseau, nom, changed }) => [`${id_reseau} ${nom}`, changed]))
  const found = networks.flatMap((network): Problem[] => {
    const of = network.nom || t('nameless')
    const sinceOf = (nom: string) => changedOf.get(`${network.id_reseau} ${nom}`) ?? null
    if (network.status === 'OFFLINE')
      return [{ network, nom: '', name: of, status: 'ERROR', isOffline: true, since: sinceOf('') }]
    const own = readDetails(network.details).flatMap((detail): Problem[] => {
      if (detail.statut === 'OK') return []
      const name = t('partOf', { name: nameOf(detail, context), network: of })
      // The empty name is that of the network itself.
      const since = elementName(detail) ? sinceOf(elementName(detail)) : null
      return [{ network, nom: detail.nom, name, status: detail.statut, isOffline: false, since }]
    })
    // A network as such has no degraded status: only its outage tells.
    const outage = incidents.find(
      ({ resolved_at, severity, elements }) =>
        !resolved_at && severity === 'WARNING' && elements.some((one) => one.id_reseau === network.id_reseau && one.nom === ''),
    )
    if (own.length > 0 || !outage) return own
    return [{ network, nom: '', name: of, status: 'WARNING', isOffline: false, since: outage.started_at }]
  })
  return found.toSorted((one, other) => Number(other.status === 'ERROR') - Number(one.status === 'ERROR'))
}

/** The sentences of the title: what is wrong where, since when. */
export function describeStatus(
  input: StatusInput,
  language: Language,
  now = Date.now(),
): { status: NetworkStatus; sentences: string[] } {
  const context = contextOf(language, now)
  const { t } = context
  if (input.networks.length === 0) return { status: 'OK', sentences: [t('nothing')] }
  const problems = findProblems(input, context)
  const [worst] = problems
  if (!worst) return { status: 'OK', sentences: [t('allWell')] }
  const { status } = worst
  if (problems.length > 3) {
    const networks = new Set(problems.map(({ network }) => network.id_reseau)).size
    return { status, sentences: [t('many', { count: problems.length, networks })] }
  }
  const sentences = problems.map((problem) => {
    const state = t(problem.isOffline ? 'offline' : problem.status === 'ERROR' ? 'down' : 'degraded')
    if (!problem.since) return t('problemPlain', { name: problem.name, state })
    return t('problem', { name: problem.name, state, since: describeSince(problem.since, context) })
  })
  return { status, sentences }
}

/** Below the title: what works all the same; empty where nothing is wrong. */
export function describeOthers(input: StatusInput, language: Language) {
  const context = contextOf(language, Date.now())
  const all = input.networks.flatMap((network) => readDetails(network.details).map(({ statut }) => ({ statut, network })))
  const well = all.filter(({ statut, network }) => statut === 'OK' && network.status !== 'OFFLINE').length
  return well > 0 && well < all.length ? context.t(well === 1 ? 'otherOne' : 'others', { count: well }) : ''
}

/** Cards of the incidents that are open, or were resolved within a day. */
export function renderIncidents(
  { incidents, networks }: Pick<StatusInput, 'incidents' | 'networks'>,
  language: Language,
  now = Date.now(),
) {
  const shown = incidents.filter(({ resolved_at }) => !resolved_at || now - Date.parse(resolved_at) < dayMs)
  const order = (one: Incident) => (one.resolved_at ? 2 : one.severity === 'ERROR' ? 0 : 1)
  return shown
    .toSorted((one, other) => order(one) - order(other))
    .map((one) => renderIncident(one, networks, language, { now }))
    .join('')
}

type IncidentOptions = { now?: number; isPage?: boolean }

/** One incident with its phases, its updates and what to do meanwhile. */
export function renderIncident(
  incident: Incident,
  networks: readonly Network[],
  language: Language,
  options: IncidentOptions = {},
) {
  const { now = Date.now(), isPage = false } = options
  const context = { ...contextOf(language, now), heading: isPage ? 'h2' : 'h3' }
  const { t, heading } = context
  const { severity, phase, updates, number, resolved_at: resolved } = incident
  const title = pickVariant(language, incident.title, incident.title_en)
  const path = `/reseau/incident/${incident.id_incident}`
  const count = incident.elements.length
  const head = `<p class="text-xs font-bold text-ink-2">${escape(number ? t('outage', { number }) : t('draft'))}</p>
${isPage ? '' : tag('h2', title.lang, title.text, 'w-full text-xl')}
<p class="ms-auto flex items-center gap-2 font-bold text-sm text-${resolved ? 'ok' : tones[severity]}">${icon(resolved ? 'OK' : severity)}<span>${escape(resolved ? t('done') : t(severity === 'ERROR' ? 'stop' : 'degradation', { count }))}</span></p>`
  const stub = [
    resolved
      ? `<p>${escape(t('lasted', { time: formatMinutes(minutesBetween(incident.started_at, resolved)) }))}</p>`
      : renderNext(incident, context),
    ...renderTouched(incident, networks, context),
    renderMeanwhile(incident, context),
    isPage
      ? `<p><a class="text-brand underline" href="${path}/feed.${language}.xml">${escape(t('atom'))}</a></p>`
      : `<p><a class="text-brand underline" href="${linkTo(path, context)}">${escape(t('page'))}</a></p>`,
  ]
  return `${isPage ? statusSymbols : ''}<article class="card @container inc ${resolved ? '' : `inc-${tones[severity]}`}" aria-label="${escape(title.text)}">
<div class="relative p-6 flex flex-wrap items-center gap-2 border-b-2 border-dashed border-line inc-head">${head}${renderPhases(phase, updates, context)}</div>
<div class="inc-body"><div class="p-6"><${heading} class="text-sm font-bold text-ink-2">${escape(t('happened'))}</${heading}><ol>${updates
    .toReversed()
    .map((update) => {
      const text = pickVariant(language, update.text, update.text_en)
      return `<li><time datetime="${update.at}">${escape(formatSince(update.at, context))}</time><div><strong>${escape(t(update.phase))}</strong>${tag('p', text.lang, text.text)}</div></li>`
    })
    .join('')}</ol></div><div class="inc-stub grid content-start gap-4 p-6">${stub.join('')}</div></div></article>`
}

function renderPhases(current: IncidentPhase, updates: Incident['updates'], { t, language }: Context) {
  const reached = incidentPhases.indexOf(current)
  const items = incidentPhases.map((phase, index) => {
    const first = updates.find((update) => update.phase === phase)
    const isDone = index < reached || current === 'resolved'
    const state = isDone ? 'hole-done' : index === reached ? 'hole-now' : 'hole-next'
    const when = first ? formatTime(first.at, language, timeZone) : index > reached ? t('toCome') : ''
    return `<li class="hole ${state}"${index === reached ? ' aria-current="step"' : ''}><span class="hole-mark" aria-hidden="true">${isDone ? '✓' : ''}</span><span><strong>${escape(t(phase))}</strong> <small class="block">${escape(when)}</small></span></li>`
  })
  return `<ol class="holes mt-4 w-full inc-phases" aria-label="${escape(t('steps'))}">${items.join('')}</ol>`
}

const minutesBetween = (from: string, to: string | number) =>
  Math.max(0, Math.round((new Date(to).getTime() - Date.parse(from)) / 60_000))

function renderNext({ next_update_at: next }: Incident, context: Context) {
  if (!next) return ''
  const { t, now, heading = 'h3' } = context
  const away = Math.round((Date.parse(next) - now) / 60_000)
  const note = away >= 0 ? t('within', { time: formatMinutes(away) }) : t('late', { time: formatMinutes(-away) })
  return `<div><${heading} class="text-sm font-bold text-ink-2">${escape(t('nextUpdate'))}</${heading}><p class="text-3xl font-bold">${escape(formatSince(next, context))}</p><p class="${away < 0 ? 'text-warn' : ''}">${escape(note)}</p></div>`
}

/** The components of an incident by their names in a language, each with its network. */
export function nameTouched({ elements }: Pick<Incident, 'elements'>, networks: readonly Network[], language: Language) {
  const t = translator(statusTexts, language)
  return elements.map(({ id_reseau, nom }) => {
    const network = networks.find((one) => one.id_reseau === id_reseau)
    const detail = network && readDetails(network.details).find((one) => elementName(one) === nom)
    const of = network?.nom || t('nameless')
    if (!nom) return of
    return t('partOf', { name: detail ? pickText(language, detail.nom, detail.nom_en) : nom, network: of })
  })
}

function renderTouched({ elements, severity, resolved_at }: Incident, networks: readonly Network[], context: Context) {
  const { t, language, heading = 'h3' } = context
  const touched = nameTouched({ elements }, networks, language)
  const same = networks.filter(({ id_reseau }) => elements.some((one) => one.id_reseau === id_reseau && one.nom))
  const untouched = same.flatMap(({ id_reseau, details }) =>
    readDetails(details)
      .filter(
        (one) =>
          one.statut === 'OK' && !elements.some((other) => other.id_reseau === id_reseau && other.nom === elementName(one)),
      )
      .map((one) => nameOf(one, context)),
  )
  if (networks.length > new Set(elements.map(({ id_reseau }) => id_reseau)).size && untouched.length > 0)
    untouched.push(t('otherNetworks'))
  const list = (names: string[], status: NetworkStatus) =>
    `<p class="flex items-center gap-2">${icon(status)}<span>${escape(names.join(', '))}</span></p>`
  if (touched.length === 0) return []
  return [
    `<div><${heading} class="text-sm font-bold text-ink-2">${escape(t('touched'))}</${heading}>${list(touched, resolved_at ? 'OK' : severity)}</div>`,
    ...(untouched.length > 0 && !resolved_at
      ? [
          `<div><${heading} class="text-sm font-bold text-ink-2">${escape(t('untouched'))}</${heading}>${list(untouched, 'OK')}</div>`,
        ]
      : []),
  ]
}

function renderMeanwhile({ meanwhile, meanwhile_en, resolved_at }: Incident, { t, language, heading = 'h3' }: Context) {
  const { text, lang } = pickVariant(language, meanwhile, meanwhile_en)
  if (!text.trim() || resolved_at) return ''
  return `<div><${heading} class="text-sm font-bold text-ink-2">${escape(t('meanwhile'))}</${heading}>${tag('p', lang, text, 'whitespace-pre-line')}</div>`
}

/** The networks, as ribbons of 90 days or with the three icons; which of both is shown is up to the style sheet. */
export function renderNetworks(input: StatusInput, language: Language, path = '/reseau', now = Date.now()) {
  const { before, sections, after } = splitNetworks(input, language, path, now)
  return `${before}${sections.map(({ render }) => render()).join('')}${after}`
}

/**
 * The same in parts: one for each network, in order, between what is the same until the next day. Networks of the same `source`
 * have the same HTML.
 */
export function splitNetworks({ networks, ribbons }: StatusInput, language: Language, path = '/reseau', now = Date.now()) {
  if (networks.length === 0) return { before: '', sections: [], after: '' }
  const context = contextOf(language, now)
  const { t } = context
  const ribbonsOf = Map.groupBy(ribbons, ({ id_reseau }) => id_reseau)
  const first = addDays(dayIn(timeZone, new Date(now)), 1 - ribbonDays)
  const rank = (network: Network) => -detailStatuses.indexOf(worstStatus([network]))
  const byStatus = networks.toSorted((one, other) => rank(one) - rank(other))
  const view = (key: StatusView, label: string) => {
    const address = { ribbon: path, long: `${path}?vue=90`, icons: `${path}?vue=icones` }[key]
    return `<a class="view-${key}" data-view="${key}" href="${escape(linkTo(address, context))}">${escape(label)}</a>`
  }
  const legend = (letter: string, key: 'legendOk' | 'legendWarning' | 'legendError' | 'legendMaintenance' | 'legendNone') =>
    `<li class="flex items-center gap-2">${drawRibbon(letter)}<span>${escape(t(key))}</span></li>`
  const before = `${statusSymbols}<div class="net-bar mt-10 mb-4 flex flex-wrap items-center justify-between gap-3"><h2 class="text-2xl">${escape(t('networks'))}</h2><nav class="net-views" aria-label="${escape(t('view'))}">${view('ribbon', t('ribbonView', { days: phoneDays }))}${view('long', t('ribbonView', { days: ribbonDays }))}${view('icons', t('iconView'))}</nav></div>
<ul class="legend r mb-4 flex flex-wrap gap-x-6 gap-y-2 text-sm text-ink-2">${legend('o', 'legendOk')}${legend('w', 'legendWarning')}${legend('e', 'legendError')}${legend('m', 'legendMaintenance')}${legend('.', 'legendNone')}</ul>
<div class="grid gap-6" data-first="${first}">`
  const after = `</div>
<details class="r mt-4 text-ink-2"><summary>${escape(t('computed'))}</summary><p>${escape(t('computedText'))}</p></details>`
  const sections = byStatus.map((network) => {
    const own = ribbonsOf.get(network.id_reseau) ?? []
    const render = () => renderNetwork(network, new Map(own.map((ribbon) => [ribbon.nom, ribbon])), first, context)
    return { id: network.id_reseau, source: () => JSON.stringify([language, first, network, own]), render }
  })
  return { before, sections, after }
}

function renderNetwork(network: Network, ribbons: Map<string, Ribbon>, first: string, context: Context) {
  const { t } = context
  const details = readDetails(network.details)
  const isOffline = network.status === 'OFFLINE'
  const name = escape(network.nom || t('nameless'))
  const count = (status: NetworkStatus) => details.filter(({ statut }) => statut === status).length
  const [down, degraded] = [count('ERROR'), count('WARNING')]
  const status: NetworkStatus = isOffline || down > 0 ? 'ERROR' : degraded > 0 ? 'WARNING' : 'OK'
  const state = isOffline ? t('offlineCard') : network.status ? t('online') : t('unknown')
  const also = isOffline
    ? ''
    : down > 0
      ? t('downElements', { count: down })
      : degraded > 0
        ? t('degradedElements', { count: degraded })
        : ''
  const word = `<span class="flex items-center gap-2 font-bold ${network.status || status !== 'OK' ? `text-${tones[status]}` : ''}">${network.status || status !== 'OK' ? icon(status) : ''}<span>${escape(state)}${also && `, ${escape(also)}`}</span></span>`
  const rows = details.map((detail) => {
    const ribbon = elementName(detail) ? ribbons.get(elementName(detail)) : undefined
    return renderRow(nameOf(detail, context), isOffline ? 'ERROR' : detail.statut, detail.statut, ribbon, first, context)
  })
  const own = ribbons.get('')
  const table =
    rows.length > 0
      ? `<table class="status-table"><caption class="sr-only">${escape(t('elementsOf', { name: network.nom || t('nameless') }))}</caption><thead><tr><th scope="col">${escape(t('element'))}</th><th scope="col" class="r r-days"><span class="flex justify-between"><span>${escape(t('daysAgo', { days: ribbonDays }))}</span><span>${escape(t('today'))}</span></span></th><th scope="col" class="r r-share">${escape(t('availability'))}</th><th scope="col" class="i">${escape(t('ok'))}</th><th scope="col" class="i">${escape(t('warning'))}</th><th scope="col" class="i">${escape(t('error'))}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
      : network.status && own
        ? `<div class="r px-6 pb-4">${renderRibbon(network.nom, own, first, context, status, isOffline && own.changed ? describeSince(own.changed, context) : '')}</div>`
        : ''
  const head = `<h3 class="text-xl">${name}</h3>${word}`
  const classes = 'net-head flex flex-wrap items-center justify-between gap-3 px-6 py-4'
  const section = (content: string) =>
    `<section class="card net ${status === 'OK' ? '' : `net-${tones[status]}`}" data-net="${network.id_reseau}" aria-label="${name}">${content}</section>`
  // What is well folds on a phone; the style sheet shows it all on a wide screen.
  return status === 'OK' && table
    ? section(`<details class="net-fold"><summary class="${classes}">${head}</summary>${table}</details>`)
    : section(`<div class="${classes}">${head}</div>${table}`)
}

function renderRow(
  name: string,
  shown: NetworkStatus,
  own: NetworkStatus,
  ribbon: Ribbon | undefined,
  first: string,
  context: Context,
) {
  const { t } = context
  const began = shown !== 'OK' && ribbon?.changed ? describeSince(ribbon.changed, context) : ''
  const since = began ? ` <small>${escape(began)}</small>` : ''
  const young = ribbon?.since && dayIn(timeZone, new Date(ribbon.since)) > first ? ribbon.since : null
  const note = young
    ? `<small class="block font-normal text-ink-2">${escape(t('followedSince', { day: formatDay(dayIn(timeZone, new Date(young)), context.language) }))}</small>`
    : ''
  const cells = (['OK', 'WARNING', 'ERROR'] as const).map(
    (status) =>
      `<td class="i">${status === own ? icon(status, escape(t(status === 'OK' ? 'ok' : status === 'WARNING' ? 'warning' : 'error'))) : icon(status, '', true)}</td>`,
  )
  return `<tr><th scope="row"><span>${escape(name)}</span><span class="flex flex-wrap items-center gap-2 text-sm r text-${tones[shown]}">${icon(shown)}<b>${escape(t(words[shown]))}</b>${since}</span></th><td class="r">${ribbon ? renderRibbon(name, ribbon, first, context, own, began) : ''}</td>${renderShare(ribbon?.availability ?? null, note, context.language)}${cells.join('')}</tr>`
}

/** Incidents by month, latest first; three months are open. */
export function renderHistory({ incidents }: Pick<StatusInput, 'incidents'>, language: Language, now = Date.now()) {
  const context = contextOf(language, now)
  const { t } = context
  const months = [...Map.groupBy(incidents, ({ started_at }) => dayIn(timeZone, new Date(started_at)).slice(0, 7))]
  if (months.length === 0) return ''
  const nameOf = (month: string) => {
    const name = new Intl.DateTimeFormat(locales[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${month}-15`),
    )
    return name.charAt(0).toUpperCase() + name.slice(1)
  }
  const items = months.map(([month, list], index) => {
    const rows = list.map((one) => {
      const { text, lang } = pickVariant(language, one.title, one.title_en)
      const last = pickText(language, one.updates.at(-1)?.text ?? '', one.updates.at(-1)?.text_en)
      const state = one.resolved_at ? last : t('running', { phase: t(one.phase) })
      const day = formatDateTime(one.started_at, language, { timeZone })
      const length = one.resolved_at ? `, ${formatMinutes(minutesBetween(one.started_at, one.resolved_at))}` : ''
      return `<li class="flex gap-3 py-3">${icon(one.severity)}<div><a class="font-bold underline"${lang ? ` lang="${lang}"` : ''} href="${linkTo(`/reseau/incident/${one.id_incident}`, context)}">${escape(text)}</a><p>${escape(state)}</p><p><time datetime="${one.started_at}">${escape(day)}</time>${escape(length)}</p></div></li>`
    })
    return `<details${index < 3 ? ' open' : ''} id="m-${month}"><summary class="flex justify-between gap-4 py-3 border-b border-line"><h3>${escape(nameOf(month))}</h3><span>${escape(t('events', { count: list.length }))}</span></summary><ul>${rows.join('')}</ul></details>`
  })
  return `<section class="past max-w-prose" aria-labelledby="past"><h2 id="past" class="text-2xl">${escape(t('history'))}</h2>${items.join('')}</section>`
}

/** The status in one line that leads to its page, for other pages; empty where all is well. */
export function renderStrip(input: StatusInput, language: Language) {
  const { status, sentences } = describeStatus(input, language)
  if (status === 'OK' || input.networks.length === 0) return ''
  const { shape, mark } = statusDrawings[status]
  const drawing = `<svg class="s-icon text-${tones[status]}" viewBox="0 0 24 24" aria-hidden="true"><path d="${shape}"/><path class="s-mark" d="${mark}" fill="none" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  return `<p class="flex items-start gap-3 px-6 py-3 font-bold bg-${tones[status]}-soft">${drawing}<a class="underline" href="/reseau">${escape(sentences.join(' · '))}</a></p>`
}
