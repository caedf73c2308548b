import { spawn } from 'node:child_process'
import { logger } from '#src/server/log.ts'
import { ImportRefusal } from './refusal.ts'

const longestMs = 10 * 60_000
const allocationMaxBytes = 64 * 1024 * 1024
/** A day of telephone sound: a few bytes must not become a full disk. */
const wavMaxBytes = 24 * 3_600 * 16_000

/** Makes a WAV that browsers play out of what they do not; refused where ffmpeg is not on the machine. */
export async function convertToWav(path: string, target: string, format: 'gsm' | null) {
  const input = [...(format ? ['-f', format] : []), '-i', path]
  // Only files of this machine: a crafted file cannot make it call somewhere.
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
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 2_000) said += chunk.toString()
  })
  const code = await new Promise<number | 'absent' | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve('absent') : reject(error)))
    child.once('close', resolve)
  })
  if (code === 'absent') throw new ImportRefusal('needsFfmpeg')
  if (code !== 0) {
    logger.warn({ code, said }, 'ffmpeg could not convert a recording')
    throw new ImportRefusal('unreadable')
  }
}
