// Separate process: writes a backup, so that neither its queries nor its compression hold up the product.
import { rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { logger } from '../log.ts'
import { openDatabase } from '../database/database.ts'
import { openPglite } from '../database/pglite.ts'
import { packBackup } from './archive.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { BackupError } from './dump.ts'
import type { WriterMessage, WriterTask } from './running-backup.ts'

const reportEveryMs = 1_000

process.once('message', (task: WriterTask) => void work(task))
// The product died; what is left is removed by the next backup.
process.once('disconnect', () => process.exit(1))

/** The backup of a product whose sandbox refuses a priority of its own is as good. */
function giveWay() {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    logger.debug({ err: error }, 'the backup keeps the priority of the product')
  }
}

async function work({ copy, ...task }: WriterTask) {
  giveWay()
  let progress: WriterMessage = { done: 0, total: null }
  // Also while the archive is compressed, or the client would take the silence for a failure.
  const reporting = setInterval(() => send(progress), reportEveryMs)
  try {
    // The copy is recovered from its log, as after a crash.
    const database = copy ? await openPglite(copy, { isDurable: false }) : await openDatabase(task)
    const manifest = await packBackup(database.db, task, {
      onProgress: (done, total) => {
        progress = { done, total }
      },
      onDumped: async () => {
        await database.close()
        if (copy) rmSync(copy, { recursive: true, force: true })
      },
    })
    send({ manifest })
  } catch (error) {
    if (!isKnown(error) || error.cause !== undefined) logger.error({ err: error }, 'the backup failed')
    send({ failure: describeFailure(error) })
  }
  clearInterval(reporting)
  process.disconnect()
}

const send = (message: WriterMessage) => process.send?.(message)

function describeFailure(error: unknown): LocalizedText {
  if (error instanceof BackupError) return error.texts
  if (isKnown(error)) return { fr: error.message, en: error.message }
  return {
    fr: 'La copie de sécurité a échoué : sa cause est dans les messages du serveur.',
    en: 'The backup failed: the log of the server has the cause.',
  }
}

/** The message of a file system error names the file. */
function isKnown(error: unknown): error is Error {
  return error instanceof BackupError || (error instanceof Error && 'syscall' in error && 'path' in error)
}
