import { gt, inArray } from 'drizzle-orm'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { recordingSettings } from '../contract.ts'
import { findRecordingSettings, removeRecording, saveRecordingSettings } from './service.ts'
import { recordingData } from './personal-data.ts'
import { recordingRoutes, recordingSettingsRoutes } from './routes.ts'
import { settingsStay } from '#src/server/personal-data.ts'
import { recordingFiles } from './exported-files.ts'
import { MissingFile, openStorage } from './storage.ts'
import { recordings as table, recordingSettingsTable, strayFiles } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import { recordings } from '../feature.ts'
import { uploadMaxBytes } from '../values.ts'

export const recordingsServer = serverFeature(recordings, {
  settings: {
    area: 'recordings',
    isGuarded: true,
    input: recordingSettings,
    read: ({ db }) => findRecordingSettings(db),
    save: ({ db }, author, input) => saveRecordingSettings(db, author, input),
  },
  api: { '/api/recordings/recordings': recordingRoutes, '/api/recordings': recordingSettingsRoutes },
  uploads: { recordings: { maxBytes: uploadMaxBytes, check: ({ actor }) => requireRight(actor, 'recordings', 'read_write') } },
  personalData: [recordingData],
  async *exportFiles({ config }, db) {
    const storage = openStorage(config)
    for (let last = 0; ;) {
      const [row] = await db
        .select({ id: table.id, key: table.storageKey })
        .from(table)
        .where(gt(table.id, last))
        .orderBy(table.id)
        .limit(1)
      if (!row) return
      last = row.id
      const chunks = await storage.open(row.key, null).catch((error: unknown) => {
        if (error instanceof MissingFile) return null
        throw error
      })
      yield { name: `recordings/${row.key}`, chunks }
    }
  },
  fileStore: recordingFiles,
  samplePart: {
    table,
    findExisting: async (db, ids) =>
      (await db.select({ id: table.id }).from(table).where(inArray(table.id, ids))).map(({ id }) => id),
    remove: ({ db }, author, id) => removeRecording(db, author, id),
  },
  personalColumns,
  impersonalColumns,
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
