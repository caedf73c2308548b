import { auditLogData, findRetentionHealth, mailData } from './service.ts'
import { privacyRoutes } from './routes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { privacy } from '../feature.ts'

export const privacyServer = serverFeature(privacy, {
  api: { '/api/privacy': privacyRoutes },
  findHealth: findRetentionHealth,
  personalData: [mailData, auditLogData],
})
