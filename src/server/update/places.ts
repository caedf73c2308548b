import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'

/** Where an update keeps its files: program files beside the installation, data in `DATA_DIR`, each on the disk it belongs to. */
export type Places = ReturnType<typeof findPlaces>

const ending = '-update'
/** In `DATA_DIR`: the data of the moment when the product was stopped. Marked once a product serves again: it is outdated then. */
export const updateCopyFolder = 'before-update'
/** In `DATA_DIR`: the copy on which the new version is tried. */
export const rehearsalFolder = 'rehearsal'

export function findPlaces(folder: string, { dataDir }: Pick<Config, 'dataDir'>) {
  const root = findInstallation(folder)
  const work = `${root}${ending}`
  const copy = join(dataDir, updateCopyFolder)
  const rehearsal = join(dataDir, rehearsalFolder)
  return {
    root,
    work,
    /** The version that is being built; after the exchange the one that was installed before. */
    next: join(work, 'next'),
    /** The version before, once the new one is ready. */
    previous: join(work, 'previous'),
    journal: join(work, 'journal.json'),
    database: join(dataDir, 'database'),
    copy,
    rehearsal,
  }
}

/** A file system without an exchange of folders may be left without the installation: the command then runs from beside it. */
function findInstallation(folder: string) {
  const given = resolve(folder)
  const parent = dirname(given)
  const isBeside = ['next', 'next.former', 'previous'].includes(basename(given)) && parent.endsWith(ending)
  return isBeside ? parent.slice(0, -ending.length) : given
}

const trialEnding = '_update_trial'

/** The database on which the new version is tried, beside the one at an address. */
export function nameTrialDatabase(address: string) {
  const url = new URL(address)
  const name = `${decodeURIComponent(url.pathname.slice(1))}${trialEnding}`
  url.pathname = `/${encodeURIComponent(name)}`
  return { name, address: url.href }
}
