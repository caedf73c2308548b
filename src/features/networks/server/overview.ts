import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Language } from '#src/lib/language/language.ts'
import { summarize } from '#src/lib/text/summary.ts'
import { createPauses } from '#src/server/background/pauses.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { InsertHtml } from '#src/server/cache/page-cache.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Incident } from '../contract.ts'
import { incident, network, ribbon } from '../contract.ts'
import { withoutShares } from '../ribbon-html.ts'
import {
  describeOthers,
  describeStatus,
  renderHistory,
  renderIncident,
  renderIncidents,
  renderStrip,
  splitNetworks,
} from '../status-html.ts'
import { emptyForm, renderSubscribeForm } from '../subscription-html.ts'
import type { NetworkSummary } from '../values.ts'
import { detailStatuses, isInEnglish, readDetails, worstStatus } from '../values.ts'
import { readRibbonDays, toRibbon } from './history.ts'
import { findIncident, findIncidents, readIncidents, withoutUndo } from './incident-list.ts'
import { readNetworks } from './service.ts'

/** All that the status page shows of the networks, in one response. */
export const overview = z.object({
  networks: z.array(network),
  ribbons: z.array(ribbon),
  incidents: z.array(incident),
})
export type Overview = z.infer<typeof overview>

/** The status page in one language: its sentences, and its parts as HTML. */
export const statusPage = z.object({
  status: z.enum(detailStatuses),
  sentences: z.array(z.string()),
  others: z.string(),
  hasNetworks: z.boolean(),
  incidents: z.string(),
  networks: z.string(),
  history: z.string(),
  subscribe: z.string(),
  /** A hash of each part, by which a page asks for what changed in it. */
  hashes: z.record(z.string(), z.string()),
})
export type StatusPage = z.infer<typeof statusPage>

/** One light for all networks, and a line where something is wrong. */
export const summary = z.object({ status: z.enum(detailStatuses), strip: z.object({ fr: z.string(), en: z.string() }) })

/** The parts of the status page that a page with other hashes does not have. */
export const statusChanges = statusPage
  .omit({ networks: true })
  .partial()
  .extend({
    /** Nothing else is sent: the page has too much to replace, and loads itself again. */
    isOutdated: z.boolean(),
    /** The new hashes alone. */
    hashes: z.record(z.string(), z.string()),
    /** Networks that changed, each before the one that follows it. */
    sections: z.array(z.object({ id: z.int(), before: z.int().nullable(), html: z.string() })),
    gone: z.array(z.string()),
    /** With the line in the language of the page alone. */
    summary,
  })
export type StatusChanges = z.infer<typeof statusChanges>

export const incidentPage = z.object({
  title: z.string(),
  description: z.string(),
  html: z.string(),
  /** False where a part of it is shown in French on its English page. */
  isInEnglish: z.boolean(),
})
export type IncidentPage = z.infer<typeof incidentPage>

export const findOverview = (reader: Reader): Promise<Overview> =>
  reader.content.read('networks', 'overview', async () => {
    const [networks, days, incidents] = await Promise.all([readNetworks(reader), readRibbonDays(reader), readIncidents(reader)])
    const isListed = new Set(networks.map(({ id_reseau }) => id_reseau))
    const ribbons: Overview['ribbons'] = []
    const pause = createPauses()
    for (const one of days) {
      if (isListed.has(one.id_reseau)) ribbons.push(toRibbon(one))
      await pause()
    }
    return { networks, ribbons, incidents }
  })

type Section = { id: number; html: string; bytes: Buffer; hash: string }
type RenderedPage = { page: Omit<StatusPage, 'networks'>; frame: { before: string; after: string }; sections: Section[] }
type Drawn = Map<number, { source: string; section: Section }>

/** Of each network the HTML of the last time: most do not change from one second to the next. */
const drawnBefore = new WeakMap<Reader['content'], Record<Language, Drawn>>()

export async function drawSections({ content }: Reader, language: Language, parts: ReturnType<typeof splitNetworks>['sections']) {
  const stored = drawnBefore.get(content) ?? { fr: new Map(), en: new Map() }
  drawnBefore.set(content, stored)
  const [before, now]: [Drawn, Drawn] = [stored[language], new Map()]
  const pause = createPauses()
  for (const { id, source: sourceOf, render } of parts) {
    const [known, source] = [before.get(id), sourceOf()]
    const draw = () => {
      const html = render()
      const bytes = Buffer.from(html)
      return { source, section: { id, html, bytes, hash: hashOf(withoutShares(html)) } }
    }
    now.set(id, known?.source === source ? known : draw())
    await pause()
  }
  stored[language] = now
  return [...now.values()].map(({ section }) => section)
}

const renderPage = (reader: Reader, language: Language): Promise<RenderedPage> =>
  reader.content.read('networks', `page ${language}`, async () => {
    const found = await findOverview(reader)
    const pause = createPauses()
    const { before, sections: parts, after } = splitNetworks(found, language)
    const sections = await drawSections(reader, language, parts)
    await pause()
    const head = {
      ...describeStatus(found, language),
      others: describeOthers(found, language),
      hasNetworks: found.networks.length > 0,
    }
    await pause()
    const others = {
      incidents: renderIncidents(found, language),
      history: renderHistory(found, language),
      subscribe: renderSubscribeForm(emptyForm(language), { language, networks: found.networks }),
    }
    const hashes = Object.fromEntries([
      ['head', hashOf(JSON.stringify(head))],
      ['frame', hashOf(before + after)],
      ...Object.entries(others).map(([name, html]) => [name, hashOf(html)]),
      ...sections.map(({ id, hash }) => [String(id), hash]),
    ]) as Record<string, string>
    return { page: { ...head, ...others, hashes }, frame: { before, after }, sections }
  })

/** Long enough to tell two versions of one part apart. */
const hashLength = 5
const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('base64url').slice(0, hashLength)

export async function findStatusPage(reader: Reader, language: Language): Promise<StatusPage> {
  const { page, frame, sections } = await renderPage(reader, language)
  return { ...page, networks: `${frame.before}${sections.map(({ html }) => html).join('')}${frame.after}` }
}

/** The same for a page that is rendered here: nobody copies the megabytes of many networks. */
export async function findStatusParts(reader: Reader, language: Language, insert: InsertHtml): Promise<StatusPage> {
  const { page, frame, sections } = await renderPage(reader, language)
  return { ...page, networks: `${frame.before}${insert(sections.map(({ bytes }) => bytes))}${frame.after}` }
}

/** Hashes as `head.AbC_1.12.xYz34`; kept by the page, so that any instance can compare them, also after a restart. */
export const knownHashes = z
  .string()
  .regex(/^(?:\w+\.[\w-]{5}(?:\.(?=\w)|$))*$/)
  .max(12_000)

const mostSections = 10

/** What changed in the status page since one with these hashes. */
export async function findStatusChanges(reader: Reader, language: Language, known: string): Promise<StatusChanges> {
  const [{ page, sections }, { status, strip }] = await Promise.all([renderPage(reader, language), findSummary(reader)])
  const words = known.split('.')
  const before = new Map(words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1]] as const] : [])))
  const hashes = Object.fromEntries(Object.entries(page.hashes).filter(([name, hash]) => before.get(name) !== hash))
  const changed = sections.flatMap(({ id, html }, index) =>
    id in hashes ? [{ id, before: sections[index + 1]?.id ?? null, html }] : [],
  )
  const found = {
    isOutdated: false,
    hashes,
    sections: changed,
    gone: [...before.keys()].filter((name) => !(name in page.hashes)),
  }
  const short = { status, strip: { fr: '', en: '', [language]: strip[language] } }
  if ('frame' in hashes || changed.length > mostSections)
    return { ...found, isOutdated: true, hashes: {}, sections: [], summary: short }
  const { sentences, others, hasNetworks } = page
  const parts = (['incidents', 'history', 'subscribe'] as const).filter((name) => name in hashes)
  return {
    ...found,
    ...('head' in hashes && { status: page.status, sentences, others, hasNetworks }),
    ...Object.fromEntries(parts.map((name) => [name, page[name]])),
    summary: short,
  }
}

export const findSummary = (reader: Reader): Promise<NetworkSummary> =>
  reader.content.read('networks', 'summary', async () => {
    const found = await findOverview(reader)
    return { status: worstStatus(found.networks), strip: { fr: renderStrip(found, 'fr'), en: renderStrip(found, 'en') } }
  })

/** A published incident; `NotFound` for a draft. */
export async function findPublished(reader: Reader, id: number): Promise<Incident> {
  const found = withoutUndo(await findIncident(reader.db, id))
  if (found.draft) throw new NotFound('This incident does not exist.')
  return found
}

export async function findIncidentPage(reader: Reader, id: number, language: Language): Promise<IncidentPage> {
  const [found, networks] = await Promise.all([findPublished(reader, id), readNetworks(reader)])
  const pick = (french: string, english: string) => (language === 'en' && english.trim() ? english : french)
  const last = found.updates.at(-1)
  return {
    title: pick(found.title, found.title_en),
    description: summarize(pick(last?.text ?? '', last?.text_en ?? '')),
    html: renderIncident(found, networks, language, { isPage: true }),
    isInEnglish: isInEnglish(found),
  }
}

export async function findCounterNetworks(reader: Reader) {
  const now = new Date()
  const [{ status, strip }, found] = await Promise.all([
    findSummary(reader),
    // An empty span of time: only what is still open.
    findIncidents(reader.db, { from: now, until: now, drafts: true }),
  ])
  const open = found.filter(({ draft }) => !draft)
  const late = open.filter(({ next_update_at: next }) => next && Date.parse(next) < now.getTime())
  return { status, strip, open: open.length, late: late.length, drafts: found.length - open.length }
}

/** How many components do not work as they should. */
export async function findStatusFigure(reader: Reader) {
  const details = (await readNetworks(reader)).flatMap((network) => readDetails(network.details))
  const count = details.filter(({ statut }) => statut !== 'OK').length
  if (count === 0) return { fr: 'Tout fonctionne', en: 'All operational' }
  return {
    fr: `${count} ${count < 2 ? 'élément touché' : 'éléments touchés'}`,
    en: `${count} ${count === 1 ? 'component' : 'components'} affected`,
  }
}
