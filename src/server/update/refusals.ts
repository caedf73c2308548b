import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { readdir, lstat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { leftOut } from '../backup/manifest.ts'
import type { Config } from '../config.ts'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { LocalizedError } from '../localized-error.ts'
import { showUnit } from './control.ts'
import type { Target } from './git.ts'
import type { Control } from './journal.ts'
import type { Places } from './places.ts'

const refuse = (texts: LocalizedText, reason: 'refused' | 'usage' = 'refused') => new LocalizedError(texts, reason)

/** Throws where this installation cannot be updated by a command; each error names what to do. */
export function requireUpdatable({ root, work, database }: Places, { dataDir, databaseUrl, redisUrl }: Config) {
  if (process.platform === 'win32') {
    throw refuse({
      fr: 'Windows ne renomme pas un dossier dont un programme est en marche : suivez les étapes manuelles de docs/operations.md.',
      en: 'Windows does not rename a folder of a running program: follow the manual steps of docs/operations.md.',
    })
  }
  if (redisUrl) {
    throw refuse({
      fr: 'REDIS_URL : plusieurs instances se mettent à jour l’une après l’autre, à la main (docs/operations.md, Several instances).',
      en: 'REDIS_URL: several instances are updated one after the other, by hand (docs/operations.md, Several instances).',
    })
  }
  // A data folder is private: whether there is a database in it, nobody else sees.
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid
  const own = process.getuid?.()
  if (owner !== undefined && own !== undefined && own !== 0 && own !== owner) {
    throw refuse({
      fr: `${dataDir} est à un autre utilisateur : lancez la commande comme root, ou comme cet utilisateur.`,
      en: `${dataDir} belongs to another user: run the command as root, or as that user.`,
    })
  }
  if (!databaseUrl && !existsSync(join(database, 'PG_VERSION'))) {
    throw refuse({
      fr: `Il n’y a pas de base de données dans ${dataDir} : donnez à la commande le DATA_DIR du serveur (ENV_FILE, docs/operations.md).`,
      en: `There is no database in ${dataDir}: give the command the DATA_DIR of the server (ENV_FILE, docs/operations.md).`,
    })
  }
  if (!relative(root, dataDir).startsWith('..')) {
    throw refuse({
      fr: `DATA_DIR (${dataDir}) est dans le dossier du produit, que la mise à jour remplace : arrêtez le produit, déplacez-le (mv ${dataDir} ${root}-data), puis démarrez avec DATA_DIR=${root}-data.`,
      en: `DATA_DIR (${dataDir}) is inside the folder of the product, which the update replaces: stop the product, move it (mv ${dataDir} ${root}-data), then start with DATA_DIR=${root}-data.`,
    })
  }
  const parent = dirname(root)
  if (statSync(parent).dev !== statSync(root).dev) {
    throw refuse({
      fr: `${root} est un disque à lui seul, et ne peut pas être renommé : installez le produit dans un dossier de ce disque.`,
      en: `${root} is a disk of its own, and cannot be renamed: install the product in a folder of that disk.`,
    })
  }
  for (const folder of [parent, root, ...(existsSync(work) ? [work] : [])]) requireWritable(folder)
}

function requireWritable(folder: string) {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw refuse({
      fr: `${folder} ne peut pas être modifié par cet utilisateur : lancez la commande comme root, ou comme le propriétaire de ce dossier.`,
      en: `${folder} cannot be changed by this user: run the command as root, or as the owner of that folder.`,
    })
  }
}

type Options = { unit: string; stop?: string | undefined; start?: string | undefined }

/** How the product is stopped and started; throws where it runs in a way that is not known. */
export async function findControl(
  { unit, stop, start }: Options,
  { root }: Places,
  isRunning: () => Promise<boolean>,
): Promise<Control> {
  if ((stop === undefined) !== (start === undefined)) {
    throw refuse(
      { fr: '--stop et --start vont ensemble : donnez les deux.', en: '--stop and --start go together: give both.' },
      'usage',
    )
  }
  if (stop !== undefined && start !== undefined) return { kind: 'commands', stop, start }
  const { LoadState, WorkingDirectory } = showUnit(unit, ['LoadState', 'WorkingDirectory'])
  if (LoadState === 'loaded' && WorkingDirectory === root) {
    if (process.getuid?.() === 0) return { kind: 'systemd', unit }
    throw refuse({
      fr: `Le service ${unit} est à systemd : lancez la commande comme root, avec ENV_FILE et DATA_DIR.`,
      en: `The service ${unit} is run by systemd: run the command as root, with ENV_FILE and DATA_DIR.`,
    })
  }
  if (!(await isRunning())) return { kind: 'none' }
  throw refuse(
    {
      fr: `Le produit est en marche, mais pas par le service ${unit} : nommez le sien (--unit), donnez --stop et --start, ou arrêtez-le d’abord.`,
      en: `The product runs, but not by the service ${unit}: name its own (--unit), give --stop and --start, or stop it first.`,
    },
    'usage',
  )
}

const reserveBytes = 200_000_000
const linkedTo = 4

/** Throws where a disk cannot hold the new version, the backup and the two copies of the database. */
export async function requireSpace(places: Places, { dataDir, databaseUrl }: Config, { hasOtherPackages }: Target) {
  const { root } = places
  const packages = hasOtherPackages ? await measure(join(root, 'node_modules')) : 0
  const program = 1.2 * packages + (await measure(join(root, 'build'))) + (await measure(join(root, '.git'))) + reserveBytes
  const database = databaseUrl ? 0 : await measure(places.database)
  const data = (await measure(dataDir, leftOut)) + linkedTo * database + reserveBytes
  const parent = dirname(root)
  const isOneDisk = statSync(parent).dev === statSync(dataDir).dev
  const needs: [string, number][] = isOneDisk
    ? [[parent, program + data]]
    : [
        [parent, program],
        [dataDir, data],
      ]
  for (const [folder, needed] of needs) {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize >= needed) continue
    const [left, wanted] = [megabytes(bavail * bsize), megabytes(needed)]
    throw refuse({
      fr: `Il reste ${left} Mo sur le disque de ${folder}, et la mise à jour a besoin de ${wanted} Mo : libérez de l’espace. Rien n’a été changé.`,
      en: `The disk of ${folder} has ${left} MB left, and the update needs ${wanted} MB: free some space. Nothing was changed.`,
    })
  }
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

async function measure(folder: string, without: ReadonlySet<string> = new Set()): Promise<number> {
  if (!existsSync(folder)) return 0
  let sum = 0
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (without.has(entry.name)) continue
    const path = join(folder, entry.name)
    sum += entry.isDirectory() ? await measure(path) : (await lstat(path)).size
  }
  return sum
}
