import { spawn } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { createConcurrencyLimit, runInWorker, WorkerLimit } from '#src/server/background/limited-worker.ts'
import { logger } from '#src/server/log.ts'
import type { RefusalReason } from '../values.ts'
import type { Measured } from './sound.ts'
import { ImportRefusal } from './refusal.ts'
import type { GivenFacts } from './call-facts.ts'

/** Audio that browsers can play, at `path`, which differs from the input where it was converted. */
export type Audio = Measured & { path: string }

export type IncomingTask = { measure: string } | { table: string; names: string[] }
export type WorkerResult<Result> = { result: Result } | { refusal: RefusalReason }

// In the bundle both are JavaScript files in one folder.
const worker = new URL(`./incoming-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
const takeTurn = createConcurrencyLimit(2)
const memoryMb = 256
/** Small files can contain hours of audio, and the machine may be slow. */
const leastMs = 30_000
const msPerMegabyte = 20_000
const mostMs = 15 * 60_000

/** Reads audio in a worker thread; what browsers cannot play is converted to a WAV at `convertedPath`. */
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

/** Reads the call facts of these files from a CSV sidecar. */
export function readCallTable(content: string, names: string[]) {
  return runIncoming<Map<string, GivenFacts>>({ table: content, names }, leastMs, 'sidecar')
}

async function runIncoming<Result>(task: IncomingTask, timeMs: number, reason: RefusalReason): Promise<Result> {
  try {
    const response = await takeTurn(() => runInWorker<WorkerResult<Result>>(worker, task, { timeMs, memoryMb }))
    if ('refusal' in response) throw new ImportRefusal(response.refusal)
    return response.result
  } catch (error) {
    if (!(error instanceof WorkerLimit)) throw error
    logger.warn({ limit: error.limit }, 'a file that came for the recordings takes too much to be read')
    throw new ImportRefusal(reason)
  }
}

const longestMs = 10 * 60_000
const allocationMaxBytes = 64 * 1024 * 1024
/** A day of phone audio: limits the output, or a small crafted file could fill the disk. */
const wavMaxBytes = 24 * 3_600 * 16_000

/** Converts audio that browsers cannot play to WAV; throws where ffmpeg is not installed. */
async function convertToWav(path: string, target: string, format: 'gsm' | null) {
  const input = [...(format ? ['-f', format] : []), '-i', path]
  // Local files only: a crafted file must not make ffmpeg open a URL.
  const options = ['-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-max_alloc', String(allocationMaxBytes)]
  const child = spawn(
    'ffmpeg',
    [...options, ...input, '-map', '0:a:0', '-c:a', 'pcm_s16le', '-fs', String(wavMaxBytes), '-f', 'wav', '-y', target],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: longestMs,
      killSignal: 'SIGKILL',
    },
  )
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (errorOutput.length < 2_000) errorOutput += chunk.toString()
  })
  const code = await new Promise<number | 'absent' | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve('absent') : reject(error)))
    child.once('close', resolve)
  })
  if (code === 'absent') throw new ImportRefusal('needsFfmpeg')
  if (code !== 0) {
    logger.warn({ code, errorOutput }, 'ffmpeg could not convert a recording')
    throw new ImportRefusal('unreadable')
  }
}
