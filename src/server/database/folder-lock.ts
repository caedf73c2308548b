import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalizedError } from '../localized-error.ts'
import { logger } from '../log.ts'

export class FolderInUse extends LocalizedError {}

/**
 * Locks a folder as soon as the process that holds it has ended, or throws `FolderInUse` after `mostMs`: a product that was
 * stopped a moment ago still closes its database.
 */
export async function lockFolderOnceFree(folder: string, mostMs: number): Promise<() => void> {
  const startedAt = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await lockFolder(folder)
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() - startedAt > mostMs) throw error
      if (tries === 1) logger.warn({ folder }, 'another process still uses the folder: waiting for its end')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/**
 * Locks a folder for this process and returns the function that unlocks it; throws `FolderInUse`. The lock is a socket, because
 * the system closes it however the process dies.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const address = lockAddress(folder)
  const server = createServer((socket) => socket.destroy())
  server.unref()
  if (!(await listen(server, address))) {
    if (await isListening(address)) {
      throw new FolderInUse({
        fr: `Un autre processus utilise déjà ${folder}. Arrêtez-le d’abord, ou choisissez un autre DATA_DIR.`,
        en: `Another process already uses ${folder}. Stop it first, or choose another DATA_DIR.`,
      })
    }
    rmSync(address, { force: true })
    if (!(await listen(server, address)))
      throw new FolderInUse({ fr: `${folder} ne peut pas être verrouillé.`, en: `The lock of ${folder} cannot be taken.` })
  }
  return () => server.close()
}

/** Whether a process holds the lock of a folder. */
export const isFolderLocked = (folder: string) => isListening(lockAddress(folder))

function lockAddress(folder: string) {
  const name = `guichet-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') return `\0${name}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  return join(tmpdir(), `${name}.sock`)
}

function listen(server: ReturnType<typeof createServer>, address: string) {
  return new Promise<boolean>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error))
    server.once('error', failed)
    server.listen(address, () => {
      server.off('error', failed)
      resolve(true)
    })
  })
}

function isListening(address: string) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
