import type { App } from '#src/server/types.ts'
import { calendarRoutes } from './calendar.ts'
import { updateRoutes } from './routes.ts'
import { readMaintenance } from './service.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { updates } from '../feature.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    updates: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({ findMaintenance: () => readMaintenance(app) })

export const updatesServer = serverFeature(updates, {
  api: { '/api/updates': updateRoutes },
  routes: { '/reseau': calendarRoutes },
  pageServices: (app) => ({ updates: pageServices(app) }),
})
