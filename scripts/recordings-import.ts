// `npm run recordings:import -- FOLDER`: makes recordings of the sounds in a folder. The same file twice is one recording.
import { resolve } from 'node:path'
import { ImportFailed, runImport } from '#src/features/recordings/server/import-command.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'

const reasons: Record<string, string> = {
  noFacts: 'neither its name nor a note beside it says when the call was and who called',
  notAudio: 'it is no WAV, MP3, OGG or GSM sound',
  unreadable: 'its sound cannot be read',
  needsFfmpeg: 'it takes ffmpeg, which is not on this machine',
  tooLarge: 'it is too large',
  sidecar: 'the note beside it cannot be read',
  name: 'its name cannot be used',
}

async function run() {
  const [folder, ...rest] = process.argv.slice(2)
  if (!folder || rest.length > 0) throw new ImportFailed('Usage: npm run recordings:import -- FOLDER')
  const counts = { imported: 0, known: 0, failed: 0 }
  for await (const { file, outcome, reason } of runImport(readConfig(process.env), resolve(folder))) {
    counts[outcome] += 1
    if (reason) process.stderr.write(`${file}: ${reasons[reason] ?? reason}\n`)
  }
  process.stdout.write(`${counts.imported} imported, ${counts.known} known already, ${counts.failed} failed\n`)
  if (counts.failed > 0) process.exitCode = 1
}

run().catch((error: unknown) => {
  const isKnown = error instanceof ImportFailed || error instanceof ConfigError
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 2
})
