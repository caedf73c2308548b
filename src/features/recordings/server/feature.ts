import { recordingData } from './personal-data.ts'
import { recordingRoutes, recordingSettingsRoutes } from './routes.ts'
import { settingsStay } from '#src/server/personal-data.ts'
import { recordings as table, recordingSettingsTable, strayFiles } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { recordings } from '../feature.ts'

export const recordingsServer = serverFeature(recordings, {
  api: { '/api/recordings/recordings': recordingRoutes, '/api/recordings': recordingSettingsRoutes },
  personalData: [recordingData],
  tableEnds: [
    { tables: [table], label: { fr: 'Enregistrements d’appels', en: 'Call recordings' }, kind: 'recordings' },
    { tables: [strayFiles], label: { fr: 'Envois de fichiers interrompus', en: 'Interrupted uploads' }, days: 1 },
    {
      tables: [recordingSettingsTable],
      label: { fr: 'Réglages des enregistrements', en: 'Recording settings' },
      reason: settingsStay,
    },
  ],
})
