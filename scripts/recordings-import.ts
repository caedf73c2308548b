// `npm run recordings:import -- FOLDER`: imports the audio files in a folder. The same file twice is one recording.
import { resolve } from 'node:path'
import { ImportFailed, runImport } from '../src/features/recordings/server/import-folder.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'

const reasons: Record<string, string> = {
  noFacts: 'date or numbers not found in the file name or its metadata',
  notAudio: 'not a WAV, MP3, OGG or GSM audio file',
  unreadable: 'unreadable or damaged audio file',
  needsFfmpeg: 'this format requires ffmpeg on the server',
  tooLarge: 'over the size limit',
  sidecar: 'the metadata file cannot be read',
  name: 'the file name is not valid',
}

async function run() {
  const [folder, ...rest] = process.argv.slice(2)
  if (!folder || rest.length > 0) throw new ImportFailed('Usage: npm run recordings:import -- FOLDER')
  const counts = { imported: 0, known: 0, failed: 0 }
  for await (const { file, outcome, reason } of runImport(readConfig(process.env), resolve(folder))) {
    counts[outcome] += 1
    if (reason) process.stderr.write(`${file}: ${reasons[reason] ?? reason}\n`)
  }
  process.stdout.write(`${counts.imported} imported, ${counts.known} already imported, ${counts.failed} failed\n`)
  if (counts.failed > 0) process.exitCode = 1
}

run().catch((error: unknown) => {
  const isKnown = error instanceof ImportFailed || error instanceof ConfigError
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 2
})
