import { auditRoutes } from './routes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { audit } from '../feature.ts'

export const auditServer = serverFeature(audit, {
  api: { '/api/audit': auditRoutes },
})
