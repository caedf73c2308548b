import type { ImpersonalColumns, PersonalColumns } from '#src/server/personal-data.ts'
import { recordingPeaks, recordings, recordingSettingsTable, strayFiles } from './table.ts'

export const personalColumns: readonly PersonalColumns[] = [
  {
    whose: ['callers', 'staff'],
    columns: [recordings.caller, recordings.callee, recordings.agent, recordings.fileName, recordings.searched, recordings.grams],
    purpose: 'Find and play a recorded call; its sound is in a file, outside of the database.',
    seenBy: ['recordings'],
  },
]

export const impersonalColumns: readonly ImpersonalColumns[] = [
  {
    columns: [recordings.sha256, recordings.storageKey, recordingPeaks.peaks, strayFiles.storageKey],
    reason: 'the checksum, name and loudness of a sound file',
  },
  {
    columns: [recordingSettingsTable.play, recordingSettingsTable.download, recordingSettingsTable.delete],
    reason: 'levels of rights',
  },
]
