import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { LocalizedError } from '../localized-error.ts'

const releaseSchema = z.object({ version: z.string(), commit: z.string() })
/** A version of the product: of package.json, and its commit. */
export type Release = z.infer<typeof releaseSchema>

/**
 * What an update was about to do, so that the next command brings it to its end after whatever killed it. The installed version
 * may be either of the two by then: a later version has to understand it as well.
 */
const journalSchema = z.object({
  format: z.literal(1),
  /**
   * preparing: nothing that runs was touched; stopping: the product stops, and its data is copied; migrating: the new version
   * migrates the data; switching: the folders change places, and the new version starts; reverting: back to the version before;
   * finishing: the new version is ready.
   */
  phase: z.enum(['preparing', 'stopping', 'migrating', 'switching', 'reverting', 'finishing']),
  from: releaseSchema,
  to: releaseSchema,
  /** Whether the new version has migrations that the installed one does not have. */
  migrates: z.boolean(),
  /** How the product is stopped and started. */
  control: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('systemd'), unit: z.string() }),
    z.object({ kind: z.literal('commands'), stop: z.string(), start: z.string() }),
    z.object({ kind: z.literal('none') }),
  ]),
  backup: z.string().nullable(),
  /** When the product was stopped, in milliseconds; null where it did not run. */
  stopped_at: z.number().nullable(),
  /** Longest time the new version may take to be ready. */
  limit_ms: z.number(),
  /** While reverting: whether the copy of the data is still to be put back. */
  restores: z.boolean(),
  /** Why the update goes back. */
  reason: z.object({ fr: z.string(), en: z.string() }).nullable(),
})
export type Journal = z.infer<typeof journalSchema>
export type Control = Journal['control']

/** Of an update that has not begun. */
export const newJournal = (planned: Pick<Journal, 'from' | 'to' | 'migrates' | 'control'>): Journal => ({
  format: 1,
  phase: 'preparing',
  ...planned,
  backup: null,
  stopped_at: null,
  limit_ms: 0,
  restores: false,
  reason: null,
})

export function readJournal(file: string): Journal | null {
  if (!existsSync(file)) return null
  const read = journalSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (read.success) return read.data
  throw new LocalizedError({
    fr: `${file} n’est pas d’une version connue : terminez la mise à jour avec la version la plus récente des deux.`,
    en: `${file} is not of a known version: end the update with the newer of the two versions.`,
  })
}

/** On the disk before the next step begins. */
export function writeJournal(file: string, journal: Journal) {
  const part = `${file}.part`
  const opened = openSync(part, 'w', 0o600)
  writeSync(opened, JSON.stringify(journal, null, 2))
  fsyncSync(opened)
  closeSync(opened)
  renameSync(part, file)
  syncFolder(dirname(file))
}

export function removeJournal(file: string) {
  rmSync(file, { force: true })
  syncFolder(dirname(file))
}

/** Makes renames in a folder durable. */
export function syncFolder(folder: string) {
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}
