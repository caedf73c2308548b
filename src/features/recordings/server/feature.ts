import { recordingData } from './personal-data.ts'
import { recordingRoutes, recordingSettingsRoutes } from './routes.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { recordings } from '../feature.ts'

export const recordingsServer = serverFeature(recordings, {
  api: { '/api/recordings/recordings': recordingRoutes, '/api/recordings': recordingSettingsRoutes },
  personalData: [recordingData],
})
