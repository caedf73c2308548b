import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const erasedRecord = z.object({ kind: z.string(), hash: z.string().regex(/^[\da-f]{64}$/), at: z.iso.datetime() })
export type ErasedRecord = z.infer<typeof erasedRecord>

/** In `DATA_DIR` and beside each backup: a restored database lacks these rows, and the file still has them. */
export const erasuresName = 'erasures.jsonl'

export const keyOf = ({ kind, hash, at }: ErasedRecord) => `${at} ${kind} ${hash}`

export function readErasures(file: string): ErasedRecord[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => parse(line) ?? [])
}

/** Adds what the file lacks; what it has is never lost, also where this is interrupted. */
export function addToErasures(file: string, records: readonly ErasedRecord[]) {
  const known = new Set(readErasures(file).map(keyOf))
  const lacking = records.filter((record) => !known.has(keyOf(record)))
  if (lacking.length === 0) return
  const part = `${file}.part`
  if (existsSync(file)) copyFileSync(file, part)
  else writeFileSync(part, '', { mode: 0o600 })
  // A line that an earlier write cut short ends before the next one.
  const before = readFileSync(part, 'utf8')
  const end = before === '' || before.endsWith('\n') ? '' : '\n'
  const lines = lacking.map(({ kind, hash, at }) => `${JSON.stringify({ kind, hash, at })}\n`)
  writeFileSync(part, `${before}${end}${lines.join('')}`, { mode: 0o600, flush: true })
  renameSync(part, file)
}

/** Copies the erasures of `DATA_DIR` beside a backup, to those of earlier ones. */
export function copyErasures(dataDir: string, folder: string) {
  if (folder !== dataDir) addToErasures(join(folder, erasuresName), readErasures(join(dataDir, erasuresName)))
}

function parse(line: string) {
  try {
    return erasedRecord.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
