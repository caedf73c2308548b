import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalizedText } from '#src/lib/form-result.ts'
import { LocalizedError } from '../localized-error.ts'
import { explainOutput, isFullDisk } from './full-disk.ts'
import type { Release } from './journal.ts'

export type Target = {
  from: Release
  to: Release
  commits: number
  /** Migrations that the installed version does not have. */
  migrations: number
  /** Whether the new version needs other packages. */
  hasOtherPackages: boolean
  /** Whether deploy/ has other files, which an administrator installs. */
  hasOtherDeployment: boolean
}

/** Runs git in a folder without asking for a password; returns null where it fails. */
function tryGit(folder: string, args: string[]) {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', env, maxBuffer: 2 ** 26 })
  return { isDone: status === 0, output: (stdout ?? '').trim(), errors: (stderr ?? '').trim() }
}

export function git(folder: string, ...args: string[]) {
  const { isDone, output, errors } = tryGit(folder, args)
  if (isDone) return output
  const reason = explainOutput(errors)
  throw new LocalizedError({ fr: `git ${args[0]} a échoué : ${reason.fr}`, en: `git ${args[0]} failed: ${reason.en}` })
}

/** The version of a folder: of its package.json, and its commit. */
export function findRelease(folder: string, commit = 'HEAD'): Release {
  const { version } = JSON.parse(git(folder, 'show', `${commit}:package.json`)) as { version: string }
  return { version, commit: git(folder, 'rev-parse', `${commit}^{commit}`) }
}

/** Throws where the folder is no clone of its own, or where files of the product were edited. */
export function requireCleanClone(root: string, dataDir: string) {
  const top = tryGit(root, ['rev-parse', '--show-toplevel'])
  const isClone = top.isDone && realpathSync(top.output) === realpathSync(root)
  if (!isClone || !statSync(join(root, '.git')).isDirectory()) {
    throw new LocalizedError({
      fr: `${root} n’est pas un clone git (${top.errors || 'une partie d’un autre'}) : cette commande met à jour ce que git clone a installé. Avec compose, et pour une archive, voyez docs/operations.md.`,
      en: `${root} is no git clone (${top.errors || 'part of another'}): this command updates what git clone installed. With compose, and for an archive, see docs/operations.md.`,
    })
  }
  // Lines start with two letters and a space; git's own output is trimmed.
  const changed = git(root, 'diff', '--name-only', 'HEAD').split('\n').filter(Boolean)
  if (changed.length === 0) return
  const names = changed.slice(0, 5).join(', ') + (changed.length > 5 ? ', …' : '')
  const isCompany = changed.some((name) => name.startsWith('company/'))
  const advice: LocalizedText = isCompany
    ? {
        fr: `Copiez ceux de company/ dans ${join(dataDir, 'company')}, où les mises à jour les conservent, puis`,
        en: `Copy those of company/ to ${join(dataDir, 'company')}, where updates keep them, then`,
      }
    : { fr: 'Mettez-les de côté, puis', en: 'Put them aside, then' }
  throw new LocalizedError({
    fr: `Des fichiers du produit ont été modifiés ici, et la mise à jour les remplacerait : ${names}. ${advice.fr} : git checkout -- ${changed[0]}`,
    en: `Files of the product were edited here, and the update would replace them: ${names}. ${advice.en}: git checkout -- ${changed[0]}`,
  })
}

/** Fetches from the origin and finds what to update to; null where that is installed already. */
export function findTarget(root: string, given: string | undefined): Target | null {
  const fetched = tryGit(root, ['fetch', '--quiet', '--tags', 'origin'])
  if (!fetched.isDone) {
    if (isFullDisk(fetched.errors)) {
      const { fr, en } = explainOutput(fetched.errors)
      throw new LocalizedError({
        fr: `La nouvelle version ne peut pas être lue : ${fr}`,
        en: `The new version cannot be read: ${en}`,
      })
    }
    const address = tryGit(root, ['remote', 'get-url', 'origin']).output || 'origin'
    throw new LocalizedError(
      {
        fr: `${hideUser(address)} ne peut pas être lu : ${hideUser(fetched.errors)}. Vérifiez le réseau, puis relancez la commande; rien n’a été changé.`,
        en: `${hideUser(address)} cannot be read: ${hideUser(fetched.errors)}. Check the network, then run the command again; nothing was changed.`,
      },
      'unreachable',
    )
  }
  const commit = given === undefined ? findNewest(root) : findGiven(root, given)
  const from = findRelease(root)
  if (!commit || commit === from.commit) return null
  if (!tryGit(root, ['cat-file', '-e', `${commit}:src/server/update/trial.ts`]).isDone) {
    throw new LocalizedError({
      fr: `${given ?? commit} est d’avant cette commande, et ne peut pas être essayée sans effet : voyez « Roll back » dans docs/operations.md.`,
      en: `${given ?? commit} is older than this command, and cannot be tried without effect: see "Roll back" in docs/operations.md.`,
    })
  }
  const names = (path: string) =>
    git(root, 'diff', '--no-renames', '--name-status', 'HEAD', commit, '--', path).split('\n').filter(Boolean)
  const migrations = names('migrations').filter((line) => line.endsWith('.sql'))
  if (migrations.some((line) => !line.startsWith('A'))) {
    throw new LocalizedError({
      fr: `${given ?? commit} est plus ancienne que la base de données, dont les migrations ne se défont pas. Restaurez plutôt une copie de sécurité faite avec cette version (docs/operations.md, Roll back).`,
      en: `${given ?? commit} is older than the database, whose migrations cannot be reverted. Restore a backup made with that version instead (docs/operations.md, Roll back).`,
    })
  }
  return {
    from,
    to: findRelease(root, commit),
    commits: Number(git(root, 'rev-list', '--count', `HEAD..${commit}`)),
    migrations: migrations.length,
    hasOtherPackages: names('package-lock.json').length > 0,
    hasOtherDeployment: names('deploy').length > 0,
  }
}

/** The newest release; before the first one, what the origin's own branch has. Null where the installed version has it. */
function findNewest(root: string) {
  const tags = git(root, 'tag', '--list', 'v*', '--sort=-version:refname').split('\n')
  const newest = tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag))
  const branch = tryGit(root, ['symbolic-ref', '--short', 'refs/remotes/origin/HEAD']).output || 'origin/main'
  const commit = findCommit(root, newest ? `refs/tags/${newest}` : `refs/remotes/${branch}`)
  if (!commit) throw unknownVersion(branch)
  return tryGit(root, ['merge-base', '--is-ancestor', commit, 'HEAD']).isDone ? null : commit
}

function findGiven(root: string, given: string) {
  const isName = /^[\w][\w./+-]*$/.test(given) && !given.includes('..')
  const names = [
    `refs/tags/v${given}`,
    `refs/tags/${given}`,
    `refs/remotes/origin/${given}`,
    ...(/^[\da-f]{7,40}$/.test(given) ? [given] : []),
  ]
  const commit = isName ? names.map((name) => findCommit(root, name)).find((one) => one !== null) : null
  if (!commit) throw unknownVersion(given)
  return commit
}

function findCommit(root: string, name: string) {
  const { isDone, output } = tryGit(root, ['rev-parse', '--quiet', '--verify', `${name}^{commit}`])
  return isDone ? output : null
}

const unknownVersion = (given: string) =>
  new LocalizedError(
    {
      fr: `Il n’y a pas de version ${given} à l’origine : donnez un numéro de version, une étiquette, une branche ou un commit (git tag --list).`,
      en: `The origin has no version ${given}: give a version number, a tag, a branch or a commit (git tag --list).`,
    },
    'usage',
  )

/** An address may hold a password. */
const hideUser = (text: string) => text.replaceAll(/\/\/[^/@\s]*@/g, '//')

export const hasClone = (folder: string) => existsSync(join(folder, '.git'))
