import { and, eq } from 'drizzle-orm'
import type { WholeSource } from '#src/features/content/server/importing.ts'
import type { Progress } from '#src/server/backup/dump.ts'
import type { App } from '#src/server/types.ts'
import type { PreviewEntry } from '../contract.ts'
import { previewMax } from '../values.ts'
import { imports } from './table.ts'
import { noCounts, NotRunning, totalOf } from './take-entries.ts'

type ImportRow = typeof imports.$inferSelect

/** What it holds, by name. */
export const wholeParts = [
  { area: 'entries', label: { fr: 'Fiches', en: 'Entries' }, path: null },
  { area: 'files', label: { fr: 'Fichiers', en: 'Files' }, path: null },
]

/** Commands of the server have no user. */
const isOnServer = ({ userId }: Pick<ImportRow, 'userId'>) => userId === null

export async function tryWhole(
  app: App,
  whole: WholeSource,
  row: Pick<ImportRow, 'path' | 'userId'>,
  onProgress: Progress = () => undefined,
) {
  const signal = new AbortController().signal
  const { kinds, ...figures } = await whole.check(app, row.path, { isOnServer: isOnServer(row), onProgress, signal })
  const preview = kinds.slice(0, previewMax).map(({ name, rows }): PreviewEntry => {
    const after = [{ label: { fr: 'Fiches', en: 'Entries' }, text: String(rows) }]
    return { at: `${name}.jsonl`, name, area: '', outcome: 'created', before: [{ label: 'jsonl', text: String(rows) }], after }
  })
  const counts = { ...noCounts(), ...figures }
  return { row: { map: {}, choices: [], options: [], preview, counts, total: totalOf(counts) }, refusals: [] }
}

/** Imports that come as a whole in this process: on the embedded database nothing else can be read meanwhile. */
const wholes = new Map<number, { done: number; total: number | null; stop: AbortController }>()

export const findWhole = (id: number) => wholes.get(id)

/** Entries and import end in one transaction, or neither is there; false where the process stops. */
export async function takeWhole(
  app: App,
  row: ImportRow,
  whole: WholeSource,
  { holder, stopping }: { holder: string; stopping: AbortSignal },
) {
  // It was stored, and the process died right after.
  if (row.done > 0 && row.done === row.total) return true
  const state = { done: 0, total: null as number | null, stop: new AbortController() }
  wholes.set(row.id, state)
  const report = {
    importId: row.id,
    isOnServer: isOnServer(row),
    onProgress: (done: number, total: number | null) => void Object.assign(state, { done, total }),
    signal: AbortSignal.any([stopping, state.stop.signal]),
  }
  const own = and(eq(imports.id, row.id), eq(imports.state, 'running'), eq(imports.holder, holder))
  try {
    await whole.take(app, row.path, report, async (tx, figures) => {
      const counts = { ...noCounts(), ...figures }
      const total = totalOf(counts)
      const stored = await tx.update(imports).set({ counts, done: total, total }).where(own).returning({ id: imports.id })
      if (stored.length === 0) throw new NotRunning()
    })
    return true
  } catch (error) {
    if (state.stop.signal.aborted) throw new NotRunning()
    if (!stopping.aborted) throw error
    await app.db.update(imports).set({ holder: null, leaseUntil: null }).where(own)
    return false
  } finally {
    wholes.delete(row.id)
  }
}
