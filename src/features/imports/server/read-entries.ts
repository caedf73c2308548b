import { mkdir, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Importer, ImportSource, LeftOut, SourceEntry } from '#src/features/content/server/importing.ts'
import { saveMemory } from '#src/server/memory-saver.ts'
import { cleanTexts, readTable } from './read-table.ts'

export const batchSize = 100
/** Large entries of a batch are in memory together. */
const batchMaxBytes = 2_000_000

function readEntries(importer: Importer, source: ImportSource, other: AsyncIterable<SourceEntry | LeftOut> | null) {
  if (other) return other
  if ('whole' in importer) throw new Error(`${importer.kind} does not come by entries`)
  return 'columns' in importer ? readTable(importer, source) : importer.read(source)
}

/** Reads the entries of a source; its scratch folder is there meanwhile. */
async function* openEntries(importer: Importer, source: ImportSource) {
  await mkdir(source.workFolder, { recursive: true })
  try {
    const other = 'columns' in importer ? ((await importer.readOther?.(source)) ?? null) : null
    for await (const one of readEntries(importer, source, other)) yield cleanTexts(one)
  } finally {
    await rm(source.workFolder, { recursive: true, force: true })
  }
}

type Read = { entries: SourceEntry[]; leftOut: LeftOut[]; read: number }

/** The keys of planned entries, for `leadsTo`; null for tables, whose rows have none and may be a million. */
export const createPlanned = (importer: Importer) => ('columns' in importer ? null : new Set<string>())

/** Pauses after a batch for longer than it took, so that most requests are answered between two batches. */
export const giveWay = (startedAt: number) => pause(Math.min(1.5 * (performance.now() - startedAt), 300))

/** Entries by the hundred, or as many as are no larger together; what is left out counts as read. */
export async function* inBatches(importer: Importer, source: ImportSource): AsyncGenerator<Read> {
  let bytes = 0
  let batch: Read = { entries: [], leftOut: [], read: 0 }
  const endSaving = saveMemory(source.isTrial ? 'firmly' : 'gently')
  try {
    for await (const item of openEntries(importer, source)) {
      if ('leftOut' in item) {
        batch.leftOut.push(item)
        batch.read += item.count ?? 1
      } else {
        batch.entries.push(item)
        batch.read += 1
        bytes += item.size ?? 0
      }
      if (batch.entries.length + batch.leftOut.length < batchSize && bytes < batchMaxBytes) continue
      yield batch
      bytes = 0
      batch = { entries: [], leftOut: [], read: 0 }
    }
    if (batch.read > 0) yield batch
  } finally {
    endSaving()
    for (const close of source.closers) await close()
  }
}
