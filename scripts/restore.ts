// `npm run restore -- FILE`, or `-` for the standard input: puts a backup into an empty database and folder, and verifies it.
import { restore } from '#src/server/backup/commands.ts'
import { runCommand } from './run-command.ts'

await runCommand('npm run restore -- FILE|-', { least: 1, most: 1 }, (config, [file = '']) => restore(config, file))
