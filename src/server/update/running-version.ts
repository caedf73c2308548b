import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import product from '../../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { ownAddress } from '../config.ts'
import { sendCommand } from '../http/command-key.ts'
import type { Routes } from '../types.ts'

export const updateAccess = 'update'
/** In the build: the commit that an update built. */
const commitFile = join('build', 'commit')
const release = z.object({ version: z.string(), commit: z.string().nullable() })
export type RunningRelease = z.infer<typeof release>

export const commitFileOf = (folder: string) => join(folder, commitFile)

/** Returns the running version to `guichet update`. */
export const updateRoutes: Routes = async (app) => {
  // Read at the start: later another version may lie in the folder.
  const commit = existsSync(commitFile) ? readFileSync(commitFile, 'utf8').trim() : null
  const running = { version: product.version, commit }
  app.post(
    '/version',
    { config: { access: `command ${updateAccess}` }, schema: { hide: true, response: { 200: release } } },
    () => running,
  )
}

/** The version that answers at an address of this machine; throws where none does. */
export async function askVersion(config: Config, signal: AbortSignal): Promise<RunningRelease> {
  const ready = await fetch(`${ownAddress(config)}/readyz`, { signal })
  if (!ready.ok) throw new Error(`/readyz: ${ready.status} ${(await ready.text()).slice(0, 200)}`)
  const response = await sendCommand(config, updateAccess, { method: 'POST', path: '/api/update/version', signal })
  if (!response.ok) throw new Error(`/api/update/version: ${response.status}`)
  return release.parse(await response.json())
}
