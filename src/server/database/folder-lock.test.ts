import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FolderInUse, lockFolder, lockFolderOnceFree } from './folder-lock.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guichet-lock-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A process that holds the lock until it is killed. */
async function lockElsewhere() {
  const module = join(import.meta.dirname, 'folder-lock.ts')
  const script = `const { lockFolder } = await import(${JSON.stringify(module)}); await lockFolder(process.argv[1]); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
}

describe('the lock of the data folder', () => {
  test('rejects a second process with a message, whatever path it uses for the folder', async () => {
    const kill = await lockElsewhere()
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    await expect(lockFolder(folder)).rejects.toThrow(
      /^Another process already uses .+\. Stop it first, or choose another DATA_DIR\.$/,
    )
    const alias = `${folder}-alias`
    symlinkSync(folder, alias)
    await expect(lockFolder(alias)).rejects.toThrow(FolderInUse)
    rmSync(alias)
    await kill()
  })

  test('is released when its process is killed', async () => {
    const kill = await lockElsewhere()
    await kill()
    const release = await lockFolder(folder)
    expect(release).toBeTypeOf('function')
    release()
  })

  test('is waited for while its process ends, and not for ever', async () => {
    const kill = await lockElsewhere()
    await expect(lockFolderOnceFree(folder, 300)).rejects.toThrow(FolderInUse)
    const locked = lockFolderOnceFree(folder, 60_000)
    await kill()
    const release = await locked
    expect(release).toBeTypeOf('function')
    release()
  })

  test('is released on request', async () => {
    const release = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    release()
    const again = await lockFolder(folder)
    expect(again).toBeTypeOf('function')
    again()
  })
})
