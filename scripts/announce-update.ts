// `npm run announce-update -- "2026-12-01T22:00"`: announces the next update from a deploy script, as the updater screen does.
import { nameElements } from '#src/features/networks/server/service.ts'
import { announce, AnnouncementRejected, readAnnouncement } from '#src/features/updates/server/announce-command.ts'
import { ConfigError, readConfig } from '#src/server/config.ts'

async function run() {
  const input = readAnnouncement(process.argv.slice(2))
  process.stdout.write(`${await announce(readConfig(process.env), input, nameElements)}\n`)
}

run().catch((error: unknown) => {
  const isKnown = error instanceof AnnouncementRejected || error instanceof ConfigError
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
