import { sampleContent } from '#company/sample-content.ts'
import type { App } from '#src/server/types.ts'
import { feedRoutes } from './feed.ts'
import { networkRoutes } from './routes.ts'
import { networkContent, readHeaderStatus, readNetworks } from './service.ts'
import { networks as table } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { networks } from '../feature.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    networks: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({
  findAll: () => readNetworks(app),
  findHeaderStatus: () => readHeaderStatus(app),
})

export const networksServer = serverFeature(networks, {
  api: { '/api/networks/reseau': networkRoutes },
  routes: { '/reseau': feedRoutes },
  content: [networkContent],
  pageServices: (app) => ({ networks: pageServices(app) }),
  async putSample(tx) {
    await tx.insert(table).values(
      sampleContent.networks.map(({ nom, status, details }) => ({
        name: nom,
        status,
        details: details.map((detail) => ({ ...detail })),
      })),
    )
  },
})
