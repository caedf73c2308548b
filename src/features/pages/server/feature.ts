import type { App } from '#src/server/types.ts'
import { downloadRoutes, videoRoutes } from './downloads.ts'
import { siteRoutes } from './routes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { pages } from '../feature.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    texts: App['site']['texts']
    site: Pick<App['site'], 'findDownloads' | 'findTutorials' | 'findScenes' | 'findMap'>
  }
}

export const pagesServer = serverFeature(pages, {
  api: { '/api/site': siteRoutes },
  routes: { '/downloads': downloadRoutes, '/videos': videoRoutes },
  pageServices: ({ site }) => ({ texts: site.texts, site }),
})
