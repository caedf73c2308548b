import { rm, stat } from 'node:fs/promises'

import { createTurns, runInWorker, WorkerLimit } from '#src/server/background/limited-worker.ts'
import { logger } from '#src/server/log.ts'
import type { RefusalReason } from '../values.ts'
import { convertToWav } from './ffmpeg.ts'
import type { Measured } from './measure-sound.ts'
import { ImportRefusal } from './refusal.ts'
import type { GivenFacts } from './sidecar.ts'

/** A sound that browsers play: in `path`, which is another file than the given one where it was converted. */
export type Audio = Measured & { path: string }

export type IncomingTask = { measure: string } | { table: string; names: string[] }
export type IncomingAnswer<Result> = { result: Result } | { refusal: RefusalReason }

// In the bundle both are JavaScript in one folder.
const worker = new URL(`./incoming-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
const takeTurn = createTurns(2)
const memoryMb = 256
/** Hours of sound in few bytes take long, and a machine may be slow. */
const leastMs = 30_000
const msPerMegabyte = 20_000
const mostMs = 15 * 60_000

/** Reads a sound in a thread of its own; what browsers do not play becomes a WAV at `convertedPath`. */
export async function readAudio(path: string, convertedPath: string): Promise<Audio> {
  const measured = await measure(path)
  if (!('converts' in measured)) return { path, ...measured }
  await convertToWav(path, convertedPath, measured.converts)
  try {
    const converted = await measure(convertedPath)
    if ('converts' in converted) throw new ImportRefusal('unreadable')
    return { path: convertedPath, ...converted }
  } catch (error) {
    await rm(convertedPath, { force: true })
    throw error
  }
}

async function measure(path: string) {
  const { size } = await stat(path)
  const timeMs = Math.min(mostMs, leastMs + (size / 1_000_000) * msPerMegabyte)
  return runIncoming<Measured | { converts: 'gsm' | null }>({ measure: path }, timeMs, 'unreadable')
}

/** What a table (CSV) says of the sounds of these names. */
export function readCallTable(content: string, names: string[]) {
  return runIncoming<Map<string, GivenFacts>>({ table: content, names }, leastMs, 'sidecar')
}

async function runIncoming<Result>(task: IncomingTask, timeMs: number, reason: RefusalReason): Promise<Result> {
  try {
    const answer = await takeTurn(() => runInWorker<IncomingAnswer<Result>>(worker, task, { timeMs, memoryMb }))
    if ('refusal' in answer) throw new ImportRefusal(answer.refusal)
    return answer.result
  } catch (error) {
    if (!(error instanceof WorkerLimit)) throw error
    logger.warn({ limit: error.limit }, 'a file that came for the recordings takes too much to be read')
    throw new ImportRefusal(reason)
  }
}
