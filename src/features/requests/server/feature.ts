import { createPageForms } from './page-form.ts'
import { requestData } from './service.ts'
import { mailerRoutes, requestRoutes } from './routes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { requests } from '../feature.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    requests: ReturnType<typeof createPageForms>
  }
}

export const requestsServer = serverFeature(requests, {
  api: { '/api/mailer': mailerRoutes, '/api/requests/requests': requestRoutes },
  pageServices: (app) => ({ requests: createPageForms(app) }),
  personalData: [requestData],
})
