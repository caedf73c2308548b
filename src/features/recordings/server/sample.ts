import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleContent } from '#company/sample-content.ts'
import { sampleAuthor } from '#src/features/audit/values.ts'
import type { Config } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { importFile } from './import-file.ts'
import { incomingFolder, openStorage } from './storage.ts'
import { makeTone } from './sound.ts'

const author = { userId: null, name: sampleAuthor, address: '' }

const hourMs = 3_600_000

/** Sample calls contain tones, no voice, so that nobody takes them for a customer's; returns their numbers. */
export async function putSampleRecordings(db: Database, config: Config) {
  const workFolder = incomingFolder(config)
  const context = { db, storage: openStorage(config), workFolder, author }
  await mkdir(workFolder, { recursive: true })
  const ids: number[] = []
  for (const [index, { file, seconds, hoursAgo, ...call }] of sampleContent.recordings.entries()) {
    const path = join(workFolder, `sample-${index}.wav`)
    // Alternates two tones, like two speakers.
    const isLoud = (second: number) => second % 7 < 4 || second % 11 > 8
    await writeFile(path, makeTone({ seconds, hertz: 330 + index * 55, isLoud }))
    const given = { ...call, date: new Date(Date.now() - hoursAgo * hourMs).toISOString() }
    try {
      const { id } = await importFile(context, { path, name: file, given })
      ids.push(id)
    } finally {
      await rm(path, { force: true })
    }
  }
  return ids
}
