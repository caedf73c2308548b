// `npm run backup [-- FILE]`: the database and the files in one archive, also while the product runs.
import { backUp } from '#src/server/backup/commands.ts'
import { runCommand } from './run-command.ts'

await runCommand('npm run backup [-- FILE]', { most: 1 }, (config, [file], onProgress) => backUp(config, file, onProgress))
