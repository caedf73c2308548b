import { spawnSync } from 'node:child_process'
import { constants, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { Progress } from '../backup/dump.ts'
import type { Config } from '../config.ts'
import { LocalizedError } from '../localized-error.ts'
import { explainOutput } from './full-disk.ts'
import { findRelease, git, hasClone } from './git.ts'
import type { Release } from './journal.ts'
import type { Places } from './places.ts'
import { findNode, findShellPath, startTied } from './processes.ts'
import { commitFileOf } from './running-version.ts'

export type Preparation = {
  places: Places
  config: Config
  release: Release
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
  progress: (unit: 'packages' | 'steps') => Progress
}

/** Puts the new version beside the installed one. What an attempt for the same version left is used. */
export async function prepareNext(preparation: Preparation) {
  const { places, release } = preparation
  checkOut(places, release)
  await install(preparation)
  await build(preparation)
  writeFileSync(commitFileOf(places.next), release.commit)
}

function checkOut({ root, next }: Places, { commit }: Release) {
  if (isWhole(next, commit)) return
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  // The whole repository, so that the folder is a clone like the one it replaces, with its origin and what was fetched.
  cpSync(join(root, '.git'), join(next, '.git'), { recursive: true, mode: constants.COPYFILE_FICLONE })
  rmSync(join(next, '.git/index'), { force: true })
  git(next, 'checkout', '--quiet', '--force', '--detach', commit)
}

/** Whether the files are those of the commit. */
function isWhole(next: string, commit: string) {
  try {
    return (
      hasClone(next) && findRelease(next).commit === commit && git(next, 'status', '--porcelain', '--untracked-files=no') === ''
    )
  } catch {
    return false
  }
}

async function install({ places: { root, next }, environment, signal, progress }: Preparation) {
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const modules = join(next, 'node_modules')
  if (lock(root) === lock(next) && existsSync(join(root, 'node_modules/.installed')) && !existsSync(modules)) {
    // The same packages: as links to the same files they take neither time, network nor space. Nothing writes into them.
    const linked = spawnSync('cp', ['-al', join(root, 'node_modules'), `${modules}.part`])
    if (linked.status === 0) renameSync(`${modules}.part`, modules)
    else rmSync(`${modules}.part`, { recursive: true, force: true })
  }
  const report = progress('packages')
  // By the system's Node and npm, as docs/operations.md installs.
  const { GUICHET_COMMAND: _command, ...given } = environment
  await runScript(
    'node',
    { ...given, PATH: findShellPath(environment) },
    {
      next,
      signal,
      module: 'scripts/setup.mjs',
      call: 'await product.installWithProgress()',
      report,
    },
  ).catch((error: unknown) => {
    throw failed({ fr: 'L’installation des paquets', en: 'The installation of the packages' }, error)
  })
}

async function build({ places: { next }, config, environment, signal, progress }: Preparation) {
  const report = progress('steps')
  // Folders that are given from that of the installation.
  const env = { ...environment, DATA_DIR: config.dataDir, COMPANY_DIR: config.companyDir }
  await runScript(findNode(next), env, {
    next,
    signal,
    module: 'scripts/build.mjs',
    call:
      'await product.buildWithProgress(process.execPath, (done, total) => process.stderr.write(JSON.stringify({ done, total }) + "\\n"))' +
      '.catch((error) => { console.error(error.message); process.exit(1) })',
    report,
  }).catch((error: unknown) => {
    throw failed({ fr: 'La construction', en: 'The build' }, error)
  })
}

type Run = { next: string; signal: AbortSignal; module: string; call: string; report: Progress }

async function runScript(node: string, env: NodeJS.ProcessEnv, { next, signal, module, call, report }: Run) {
  const child = startTied(
    node,
    { module: pathToFileURL(join(next, module)).href, call, words: ['--json'] },
    {
      cwd: next,
      env,
      signal,
      onLine: (line) => {
        const read = /^\{"done":(\d+),"total":(\d+)/.exec(line)
        if (read) report(Number(read[1]), Number(read[2]))
      },
    },
  )
  const code = await child.ended
  report(1, 1)
  signal.throwIfAborted()
  if (code !== 0) throw new LocalizedError(explainOutput(child.output().replaceAll(/^\{"done".*\n/gm, '')))
}

const failed = (what: LocalizedText, error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  const reason = error instanceof LocalizedError ? error.texts : { fr: message, en: message }
  return new LocalizedError(
    {
      fr: `${what.fr} de la nouvelle version a échoué, et l’ancienne continue : ${reason.fr}`,
      en: `${what.en} of the new version failed, and the old one goes on: ${reason.en}`,
    },
    'refused',
    { cause: error },
  )
}
