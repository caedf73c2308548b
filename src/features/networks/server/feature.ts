import { sampleContent } from '#company/sample-content.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { App, Routes } from '#src/server/types.ts'
import { feedRoutes } from './feed.ts'
import { networkRoutes } from './routes.ts'
import { closeMonths, recordStatuses } from './history.ts'
import { statusRoutes } from './incident-routes.ts'
import { readIncidents } from './incident-list.ts'
import { findIncidentPage, findStatusPage, findSummary } from './overview.ts'
import { forgetMailings, startMailings } from './mailings.ts'
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
import { networks as table } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { monitorRoutes, signalRoutes } from '../monitors/server/routes.ts'
import { networks } from '../feature.ts'

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
  personalData: [subscriberData],
  findHealth: async (app) => findCopyHealth(app),
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
