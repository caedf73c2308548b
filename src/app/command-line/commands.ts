import { adminCommands } from './admin.ts'
import { announceCommand } from '#src/features/updates/commands.ts'
import { exportCommand } from '#src/features/exports/commands.ts'
import { importCommands } from '#src/features/imports/commands.ts'
import { inboxCommand } from '#src/features/requests/commands.ts'
import { outageCommand } from '#src/features/networks/commands.ts'
import { recordingsImportCommand } from '#src/features/recordings/commands.ts'
import { redirectCommands } from '#src/features/redirects/commands.ts'
import { auditVerifyCommand } from '#src/server/audit-log/commands.ts'
import { backupCommands } from '#src/server/backup/command-line.ts'
import type { Command } from '#src/server/command-line/command.ts'
import { secretChangeCommand } from '#src/server/secrets/commands.ts'
import { updateCommand } from '#src/server/update/command-line.ts'
import { completionCommand } from './completion.ts'
import { doctorCommand } from './doctor.ts'
import { startCommand } from './start.ts'

/** Every command of `guichet`, in the order of the help. */
export const commands: readonly Command[] = [
  startCommand,
  doctorCommand,
  ...backupCommands,
  updateCommand,
  ...adminCommands,
  auditVerifyCommand,
  announceCommand,
  outageCommand,
  inboxCommand,
  ...importCommands,
  recordingsImportCommand,
  exportCommand,
  ...redirectCommands,
  secretChangeCommand,
  completionCommand,
]
