import { sampleContent } from '#company/sample-content.ts'
import type { Language } from '#src/lib/language/language.ts'
import { sameUrl, wholeSource } from '#src/server/search/search.ts'
import type { App, Routes } from '#src/server/types.ts'
import { feedRoutes } from './feed.ts'
import { networkRoutes } from './routes.ts'
import { closeMonths, recordStatuses } from './history.ts'
import { statusRoutes } from './incident-routes.ts'
import { readIncidents } from './incident-list.ts'
import { findIncidentPage, findStatusPage, findSummary } from './overview.ts'
import { forgetMailings, mailingDays, startMailings } from './mailings.ts'
import {
  findSubscriptionPage,
  publicSubscriberRoutes,
  renderSent,
  subscribeByForm,
  subscriberRoutes,
  subscriptionRoutes,
} from './subscriber-routes.ts'
import { startBeats } from './product-outage.ts'
import { findCopyHealth, startStatusCopy } from './status-copy.ts'
import { subscriberData } from './subscriptions.ts'
import { networkContent, readNetworks } from './service.ts'
import { mailings, subscribers } from './subscriber-table.ts'
import { elementChanges, elementMonths, networkIncidents, networks as table, productBeats } from './table.ts'
import { settingsStay } from '#src/server/personal-data.ts'
import { networkMonitors } from '../monitors/server/table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { monitorRoutes, signalRoutes } from '../monitors/server/routes.ts'
import { networks } from '../feature.ts'
import { hasRight } from '#src/lib/rights.ts'
import { counterNetworks } from '../contract.ts'
import { findCounterNetworks, findStatusFigure } from './overview.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    networks: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({
  findAll: () => readNetworks(app),
  findSummary: () => findSummary(app),
  findStatusPage: (language: Language) => findStatusPage(app, language),
  findIncidentPage: (id: number, language: Language) => findIncidentPage(app, id, language),
  renderSent,
  subscribeByForm: (form: FormData | null, from: { address: string; language: Language }) => subscribeByForm(app, form, from),
  findSubscriptionPage: (token: string, language: Language, done: string | null) =>
    findSubscriptionPage(app, token, language, done),
})

const sampleAuthor = { userId: null, name: 'sample', address: '' }

const statusAndWork: Routes = async (app) => {
  app.queue.schedule('network-history', '40 3 * * *', async () => {
    await closeMonths(app.db)
    await forgetMailings(app.db)
  })
  startMailings(app)
  startStatusCopy(app)
  startBeats(app)
  await statusRoutes(app)
}

/** Published outages that are not over, for the search. */
async function findRunningOutages(app: App) {
  const [incidents, all] = await Promise.all([readIncidents(app), readNetworks(app)])
  return incidents
    .filter(({ resolved_at }) => resolved_at === null)
    .map(({ id_incident, title, title_en, elements, updates, meanwhile, meanwhile_en }) => {
      const names = elements.flatMap(({ id_reseau, nom }) => [nom, all.find((one) => one.id_reseau === id_reseau)?.nom ?? ''])
      const last = updates.at(-1)
      return {
        key: `incident-${id_incident}`,
        kind: 'incident',
        title: { fr: title, en: title_en },
        text: { fr: [last?.text, meanwhile].join(' '), en: [last?.text_en, meanwhile_en].join(' ') },
        keywords: { fr: names.join(' '), en: names.join(' ') },
        url: sameUrl(`/reseau/incident/${id_incident}`),
        isUrgent: true,
      }
    })
}

export const networksServer = serverFeature(networks, {
  api: {
    '/api/networks/reseau': networkRoutes,
    '/api/networks/monitors': monitorRoutes,
    '/api/networks/signals': signalRoutes,
    '/api/networks': statusAndWork,
    '/api/networks/subscribers': subscriberRoutes,
    '/public_api/networks': publicSubscriberRoutes,
  },
  routes: { '/reseau': feedRoutes, '/reseau/abonnement': subscriptionRoutes },
  content: [networkContent],
  pageServices: (app) => ({ networks: pageServices(app) }),
  findAddresses: async (app) => (await readIncidents(app)).map(({ id_incident }) => `/reseau/incident/${id_incident}`),
  searchable: [wholeSource(['networks'], findRunningOutages)],
  personalData: [subscriberData],
  tableEnds: [
    { tables: [subscribers], label: { fr: 'Abonnés', en: 'Subscribers' }, kind: 'subscribers' },
    { tables: [mailings], label: { fr: 'Envois aux abonnés', en: 'Mailings to subscribers' }, days: mailingDays },
    {
      tables: [elementChanges, elementMonths, networkIncidents],
      label: { fr: 'Pannes et historique du réseau', en: 'Outages and network history' },
      reason: {
        fr: 'Ils sont la preuve de la disponibilité, sans renseignement personnel.',
        en: 'They are the proof of availability, without personal information.',
      },
    },
    {
      tables: [networkMonitors],
      label: { fr: 'Sondes', en: 'Monitors' },
      reason: {
        fr: 'Le personnel supprime une sonde avec ses mesures. Les mesures détaillées sont conservées 2 jours, celles d’une heure 31 jours, celles d’un jour 762 jours.',
        en: 'Staff delete a monitor with its measurements. Detailed ones are kept 2 days, hourly ones 31 days, daily ones 762 days.',
      },
    },
    { tables: [productBeats], label: { fr: 'État du produit', en: 'Product status' }, reason: settingsStay },
  ],
  findHealth: async (app) => findCopyHealth(app),
  counter: {
    shape: { networks: counterNetworks },
    find: async (app, { rights }) =>
      hasRight(rights, 'networks', 'read_only') ? { networks: await findCounterNetworks(app) } : {},
  },
  findFigures: async (app, { rights }) =>
    hasRight(rights, 'networks', 'read_only') ? { '/admin/reseau': await findStatusFigure(app) } : {},
  async putSample(tx) {
    const rows = await tx
      .insert(table)
      .values(
        sampleContent.networks.map(({ nom, status, details }) => ({
          name: nom,
          status,
          details: details.map((detail) => ({ ...detail })),
        })),
      )
      .returning()
    for (const row of rows) await recordStatuses(tx, sampleAuthor, null, networkContent.toEntity(row))
  },
})
