import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from './cluster/cluster.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config.ts'
import { logger } from './log.ts'

/** Folders of `DATA_DIR` that every instance reads and writes. */
const sharedFolders = ['recordings', 'downloads', 'videos', 'imports', 'exports', 'uploads']

/**
 * Lets the folders of `DATA_DIR` that instances share lead to the folder of `FILES_URL`; backups follow the links. Throws
 * `ConfigError` where one has files already.
 */
export function shareFiles({ dataDir, filesDir }: Pick<Config, 'dataDir' | 'filesDir'>) {
  if (!filesDir) return
  mkdirSync(filesDir, { recursive: true, mode: 0o700 })
  if (realpathSync(filesDir) === realpathSync(dataDir)) return
  for (const name of sharedFolders) {
    const [link, target] = [join(dataDir, name), join(filesDir, name)]
    mkdirSync(target, { recursive: true, mode: 0o700 })
    const found = lstatSync(link, { throwIfNoEntry: false })
    if (found?.isDirectory() && readdirSync(link).length > 0)
      throw new ConfigError({
        fr: `FILES_URL nomme ${filesDir}, mais ${link} contient déjà des fichiers : arrêtez le produit, déplacez-les dans ${target}, puis démarrez-le.`,
        en: `FILES_URL names ${filesDir}, but ${link} has files already: stop the product, move them to ${target}, then start it.`,
      })
    if (found?.isDirectory()) rmdirSync(link)
    pointLink(link, target)
  }
}

/** Makes or changes a link in one step: another instance may use it meanwhile. */
export function pointLink(link: string, target: string) {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(link) === target) return
  const made = `${link}-${process.pid}`
  rmSync(made, { force: true })
  symlinkSync(target, made)
  renameSync(made, link)
}

/** Logs once that another instance runs while each keeps its files to itself. */
export function watchForUnsharedFiles(cluster: Cluster, { filesDir, recordingsS3Url, dataDir }: Config) {
  if (filesDir) return
  const folders = recordingsS3Url ? sharedFolders.filter((name) => name !== 'recordings') : sharedFolders
  let isLogged = false
  cluster.onHello(() => {
    if (isLogged) return
    isLogged = true
    logger.warn(
      { folders: folders.map((name) => join(dataDir, name)) },
      'another instance runs, and each has its own files: let FILES_URL name one folder for all (the DATA_DIR where they share it)',
    )
  })
}
