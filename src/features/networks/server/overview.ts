import { z } from 'zod'
import type { Language } from '#src/lib/language/language.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Incident } from '../contract.ts'
import { incident, network, ribbon } from '../contract.ts'
import {
  describeOthers,
  describeStatus,
  renderHistory,
  renderIncident,
  renderIncidents,
  renderNetworks,
  renderStrip,
} from '../status-html.ts'
import { emptyForm, renderSubscribeForm } from '../subscription-html.ts'
import type { NetworkSummary } from '../values.ts'
import { detailStatuses, worstStatus } from '../values.ts'
import { readRibbonDays, toRibbon } from './history.ts'
import { findIncident, readIncidents, withoutUndo } from './incident-list.ts'
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
})
export type StatusPage = z.infer<typeof statusPage>

export const incidentPage = z.object({ title: z.string(), description: z.string(), html: z.string() })
export type IncidentPage = z.infer<typeof incidentPage>

export const findOverview = (reader: Reader): Promise<Overview> =>
  reader.content.read('networks', 'overview', async () => {
    const [networks, days, incidents] = await Promise.all([readNetworks(reader), readRibbonDays(reader), readIncidents(reader)])
    return { networks, ribbons: days.map(toRibbon), incidents }
  })

export const findStatusPage = (reader: Reader, language: Language): Promise<StatusPage> =>
  reader.content.read('networks', `page ${language}`, async () => {
    const found = await findOverview(reader)
    return {
      ...describeStatus(found, language),
      others: describeOthers(found, language),
      hasNetworks: found.networks.length > 0,
      incidents: renderIncidents(found, language),
      networks: renderNetworks(found, language),
      history: renderHistory(found, language),
      subscribe: renderSubscribeForm(emptyForm(language), { language, networks: found.networks }),
    }
  })

/** What other pages show of the networks: the one light, and a line where something is wrong. */
export const summary = z.object({ status: z.enum(detailStatuses), strip: z.object({ fr: z.string(), en: z.string() }) })

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
    description: pick(last?.text ?? '', last?.text_en ?? '')
      .replaceAll(/\s+/g, ' ')
      .slice(0, 160),
    html: renderIncident(found, networks, language, { isPage: true }),
  }
}
