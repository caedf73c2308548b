// `npm run db:move`: copies the embedded database into the empty PostgreSQL database of DATABASE_URL.
import { moveToPostgres } from '#src/server/backup/commands.ts'
import { runCommand } from './run-command.ts'

await runCommand('npm run db:move', { most: 0 }, (config, _words, onProgress) => moveToPostgres(config, onProgress))
