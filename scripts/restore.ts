// `npm run restore -- FILE`, or `-` for the standard input: restores a backup into an empty database and folder, and verifies
// it.
import { resolve } from 'node:path'
import { listNames, restore } from '#src/server/backup/commands.ts'
import { runCommand } from './run-command.ts'

// Read before the configuration, which creates the folder and its secret.
const before = listNames(resolve(process.env.DATA_DIR || './data'))
await runCommand('npm run restore -- FILE|-', { least: 1, most: 1 }, (config, [file = ''], onProgress) =>
  restore(config, file, before, onProgress),
)
