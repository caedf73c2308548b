import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'
import { pointLink } from './shared-files.ts'

/** Of the build, with the files of the company in place of the sample's. */
const built = join('build', 'company')
/** The company's own files in `DATA_DIR`. */
export const companyLink = 'company'
/** In the build: the hash of the files that the company had of its own. */
const stamp = '.own-files'

/** Folder of the texts, pictures and videos that are shown: those of the build where the product runs from one. */
export function shownCompanyFolder(mode = process.env.NODE_ENV ?? 'production') {
  const folder = join(process.cwd(), built)
  return mode === 'production' && existsSync(folder) ? folder : join(process.cwd(), 'company')
}

/** Copies `company/` of the product into the build, and over it the files that the company keeps of its own. */
export function copyCompanyFolder(own: string, root = process.cwd()) {
  const target = join(root, built)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  cpSync(join(root, 'company'), target, { recursive: true })
  for (const file of existsSync(own) ? filesIn(own) : []) {
    const copy = join(target, relative(own, file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
  }
  writeFileSync(join(target, stamp), hashFiles(own))
  openToReaders(target)
}

/** Files of the data folder are private, but what is built is read by another user than the one who builds. */
function openToReaders(folder: string) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToReaders(path)
    else chmodSync(path, 0o644)
  }
}

/** True where the company's own files are not those that the product was built with: they show after the next build. */
export function isCompanyFolderChanged(own: string, root = process.cwd()) {
  const file = join(root, built, stamp)
  return existsSync(file) && readFileSync(file, 'utf8') !== hashFiles(own)
}

/** Makes a folder that is elsewhere part of `DATA_DIR`, and so of backups; throws `ConfigError` where there would be two. */
export function linkCompanyFolder({ dataDir, companyDir }: Pick<Config, 'dataDir' | 'companyDir'>) {
  const link = join(dataDir, companyLink)
  if (resolve(companyDir) === link) return
  const found = lstatSync(link, { throwIfNoEntry: false })
  if (found?.isDirectory())
    throw new ConfigError({
      fr: `COMPANY_DIR nomme ${companyDir}, mais ${link} contient aussi des fichiers de l’entreprise : n’en conservez qu’un des deux.`,
      en: `COMPANY_DIR names ${companyDir}, but ${link} has files of the company too: keep one of the two.`,
    })
  pointLink(link, companyDir)
}

function hashFiles(folder: string) {
  if (!existsSync(folder)) return 'none'
  const hash = createHash('sha256')
  for (const file of filesIn(folder).toSorted())
    hash.update(relative(folder, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Also those behind links, which the build copies too. */
function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))
}
