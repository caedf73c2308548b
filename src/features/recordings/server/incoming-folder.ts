import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { logger } from '#src/server/log.ts'
import type { ImportContext } from './import-file.ts'
import { createNotes, isSound, listFiles, sidecarsOf, tryImport } from './import-folder.ts'

const everyMs = 10_000
const failedFolder = 'failed'

/**
 * Takes what arrives in a folder: a file that two scans in a row found unchanged is imported and leaves the folder, one that is
 * refused goes to `failed/` with its reason beside it.
 */
export function createIncomingFolder(context: ImportContext, folder: string) {
  let seen = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  /** Polls, because network folders send no file system events. */
  async function scan() {
    const files = (await listFiles(folder)).filter((path) => !relative(folder, path).startsWith(join(failedFolder, '/')))
    const notes = createNotes(files)
    const now = new Map<string, string>()
    for (const path of files.filter(isSound)) {
      const state = await stateOf(path)
      if (state === null) continue
      if (seen.get(path) === state) await take(path, notes)
      else now.set(path, state)
    }
    seen = now
  }

  async function take(path: string, notes: ReturnType<typeof createNotes>) {
    const file = relative(folder, path)
    const { outcome, reason } = await tryImport(context, { path, file, notes })
    if (outcome !== 'failed') {
      for (const done of [path, ...sidecarsOf(path)]) await rm(done, { force: true })
      return
    }
    const target = join(folder, failedFolder, file)
    await mkdir(dirname(target), { recursive: true })
    await rename(path, target)
    await writeFile(`${target}.reason.txt`, `${reason}\n`)
    logger.warn({ file, reason }, 'a recording that arrived was refused')
  }

  const scanSafely = () =>
    scan().catch((error: unknown) => logger.error({ err: error }, 'the folder of recordings could not be read'))

  return {
    scan,
    start() {
      const next = () => {
        running = scanSafely().then(() => {
          if (timer) timer = setTimeout(next, everyMs)
        })
      }
      timer = setTimeout(next, 0)
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await running
    },
  }
}

async function stateOf(path: string) {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  } catch {
    // Gone since it was listed.
    return null
  }
}
