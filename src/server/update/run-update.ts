import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import type { LocalizedText } from '#src/lib/form-result.ts'
import type { CommandContext, CommandResult, RunCommand } from '../command-line/command.ts'
import type { Config } from '../config.ts'
import { readConfig } from '../config.ts'
import { FolderInUse, lockFolder } from '../database/folder-lock.ts'
import { LocalizedError } from '../localized-error.ts'
import { isDiskFull } from '../problems.ts'
import { createControl } from './control.ts'
import { workOnData } from './data.ts'
import { exchangeFolders, repairExchange } from './exchange.ts'
import type { Target } from './git.ts'
import { findRelease, findTarget, requireCleanClone } from './git.ts'
import type { Control, Journal } from './journal.ts'
import { newJournal, readJournal, removeJournal, writeJournal } from './journal.ts'
import type { Places } from './places.ts'
import { findPlaces, nameTrialDatabase } from './places.ts'
import { prepareNext } from './prepare.ts'
import type { Owner } from './processes.ts'
import { findNode, findOwner } from './processes.ts'
import { hasServed } from './quiet.ts'
import { findControl, requireSpace, requireUpdatable } from './refusals.ts'
import { tryProduct } from './trial.ts'
import type { Outcome, Steps } from './update.ts'
import { resume, update } from './update.ts'

type Site = { context: CommandContext; config: Config; places: Places; owner: Owner; environment: NodeJS.ProcessEnv }

export const run: RunCommand = async (context) => {
  const { environment, options } = context
  // Nothing of the data is created here: what its owner would have to read, processes of the owner write.
  const config = readConfig(environment, { isReadOnly: true })
  const places = findPlaces(process.cwd(), config)
  // The command may run in a folder that changes its place.
  process.chdir('/')
  if (existsSync(places.root)) requireUpdatable(places, config)
  const site: Site = {
    context,
    config: { ...config, secret: readSecret(config) },
    places,
    owner: findOwner(config.dataDir),
    environment: { ...environment, DATA_DIR: config.dataDir },
  }
  // The product reads what is built here as another user.
  process.umask(0o022)
  if (options['check'] === true) return check(site)
  mkdirSync(places.work, { recursive: true })
  const unlock = await lockFolder(places.work).catch((error: unknown) => {
    throw error instanceof FolderInUse
      ? new LocalizedError({
          fr: 'Une autre mise à jour est en cours : attendez qu’elle soit terminée.',
          en: 'Another update is running: wait until it is done.',
        })
      : error
  })
  try {
    return await runLocked(site)
  } catch (error) {
    if (error instanceof LocalizedError || !isDiskFull(error) || !readJournal(places.journal)) throw error
    throw new LocalizedError(
      {
        fr: 'Le disque est devenu plein pendant la mise à jour. Libérez de l’espace, puis relancez la commande avec --resume : elle la termine, ou revient à la version d’avant. Aucune donnée n’est perdue.',
        en: 'The disk filled up during the update. Free some space, then run the command again with --resume: it ends the update, or goes back to the version before. No data is lost.',
      },
      'refused',
      { cause: error },
    )
  } finally {
    unlock()
  }
}

async function runLocked(site: Site): Promise<CommandResult> {
  const { context, places } = site
  const { options } = context
  const interrupted = readJournal(places.journal)
  if (interrupted) {
    const { from, to } = interrupted
    context.remark({
      fr: `Une mise à jour de ${from.version} vers ${to.version} a été interrompue (${interrupted.phase}).`,
      en: `An update from ${from.version} to ${to.version} was interrupted (${interrupted.phase}).`,
    })
    const outcome = await resume(interrupted, createSteps(site, interrupted.control, interrupted))
    if (outcome) return describeOutcome(outcome, places)
    context.remark({
      fr: `Elle est défaite : la version ${from.version} continue, avec ses données.`,
      en: `It is undone: version ${from.version} goes on, with its data.`,
    })
  }
  if (options['resume'] === true) {
    return {
      text: interrupted ? '' : { fr: 'Aucune mise à jour n’a été interrompue.', en: 'No update was interrupted.' },
      json: { outcome: interrupted ? 'undone' : 'nothing' },
    }
  }
  const target = findRequested(site)
  if (!target) return describeUpToDate(places)
  await requireSpace(places, site.config, target)
  const control = await findUsed(site)
  const { from, to, migrations } = target
  const journal = newJournal({ from, to, migrates: migrations > 0, control })
  const steps = createSteps(site, control, journal)
  return describeOutcome(await update(journal, steps), places, target)
}

function findRequested({ context, places, config }: Site) {
  const [version] = context.arguments
  requireCleanClone(places.root, config.dataDir)
  return findTarget(places.root, version)
}

const findUsed = ({ context: { options }, config, places, owner, environment }: Site) => {
  const word = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined)
  const { isRunning } = createControl({ kind: 'none' }, { config, places, owner, environment })
  return findControl({ unit: word('unit') ?? 'guichet', stop: word('stop'), start: word('start') }, places, isRunning)
}

/** The steps on this installation, each named on the terminal before it begins. */
function createSteps(site: Site, control: Control, journal: Pick<Journal, 'to' | 'from'>): Steps {
  const { context, config, places, owner, environment } = site
  const { root, next, previous } = places
  const { to } = journal
  const product = createControl(control, site)
  const onData = (kind: Parameters<typeof workOnData>[0]) => workOnData(kind, { root, owner, environment })
  const reportStep = (fr: string, en: string) => {
    context.signal.throwIfAborted()
    context.remark({ fr, en })
  }
  return {
    backUp() {
      reportStep('1/7 Copie de sécurité', '1/7 Backup')
      return backUp(site)
    },
    async prepare() {
      reportStep(
        `2/7 Version ${to.version}, construite à côté de l’ancienne`,
        `2/7 Version ${to.version}, built beside the old one`,
      )
      await prepareNext({ places, config, release: to, environment, signal: context.signal, progress: context.progress })
    },
    async rehearse() {
      reportStep('3/7 Essai sur une copie des données', '3/7 Trial on a copy of the data')
      if (!(await onData('rehearse'))) {
        context.remark({
          fr: 'Le rôle de DATABASE_URL ne peut pas créer de base : la version sera essayée sur les données mêmes, avec leur copie comme retour.',
          en: 'The role of DATABASE_URL may not create a database: the version will be tried on the data itself, with its copy as the way back.',
        })
        return null
      }
      const trial = rehearsalOf(config)
      const readyMs = await tryProduct({
        folder: next,
        release: to,
        limitMs: rehearsalLimitMs,
        secret: config.secret,
        signal: context.signal,
        config: { ...config, ...trial.config },
        owner,
        environment: { ...environment, ...trial.environment },
      })
      await onData('end-rehearsal')
      return readyMs
    },
    isRunning: product.isRunning,
    async stop() {
      if (await product.isRunning()) context.remark({ fr: '4/7 Arrêt du produit', en: '4/7 Stopping the product' })
      await product.stop()
    },
    async copyData() {
      context.remark({ fr: '5/7 Copie des données à l’arrêt', en: '5/7 Copy of the data at rest' })
      await onData('copy')
    },
    async migrate(limitMs) {
      context.remark({ fr: '6/7 Migration des données', en: '6/7 Migration of the data' })
      const { signal } = context
      await tryProduct({ folder: next, release: to, limitMs, secret: config.secret, signal, config, owner, environment })
    },
    hasServed: () => hasServed(places.copy),
    async restoreData() {
      context.remark({ fr: 'Retour des données de l’arrêt', en: 'Putting the data back as it was at the stop' })
      const replaced = await onData('restore')
      return typeof replaced === 'string' ? replaced : null
    },
    findInstalled: () => findRelease(root),
    exchange: () => exchangeFolders(root, next),
    repairExchange: () => repairExchange(root, next),
    async start() {
      context.remark({ fr: '7/7 Démarrage', en: '7/7 Start' })
      await product.start()
    },
    waitUntilReady: product.waitUntilReady,
    keepPrevious() {
      if (!existsSync(next)) return
      rmSync(previous, { recursive: true, force: true })
      renameSync(next, previous)
    },
    removeNext: () => rmSync(next, { recursive: true, force: true }),
    async discardCopies() {
      await onData('discard')
    },
    record: (entry) => writeJournal(places.journal, entry),
    clear: () => removeJournal(places.journal),
  }
}

const rehearsalLimitMs = 10 * 60_000

/** A data folder and a database of its own. */
function rehearsalOf({ dataDir, databaseUrl }: Config) {
  const { rehearsal } = findPlaces('', { dataDir })
  const trial = databaseUrl ? nameTrialDatabase(databaseUrl).address : undefined
  return {
    config: { dataDir: rehearsal, databaseUrl: trial },
    environment: { DATA_DIR: rehearsal, COMPANY_DIR: undefined, ...(trial && { DATABASE_URL: trial }) },
  }
}

/** By the command of that name, as the owner of the data; returns the archive. */
async function backUp({ context, places: { root }, owner, environment }: Site): Promise<string> {
  const report = context.progress('rows')
  const args = [join(root, 'scripts/guichet.mjs'), 'backup', '--json', '--lang', context.language]
  const child = spawn(findNode(root), args, { ...owner, cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => {
    const lines = part.toString().split('\n')
    for (const line of lines) {
      const read = /^\{"done":(\d+),"total":(\d+|null)/.exec(line)
      if (read) report(Number(read[1]), read[2] === 'null' ? null : Number(read[2]))
      else errors += line
    }
  })
  const stop = () => child.kill('SIGKILL')
  context.signal.addEventListener('abort', stop)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => context.signal.removeEventListener('abort', stop))
  context.signal.throwIfAborted()
  if (code === 0) return (JSON.parse(output) as { file: string }).file
  const detail = /"detail":"((?:[^"\\]|\\.)*)"/.exec(errors)?.[1] ?? errors
  throw new LocalizedError({ fr: `La copie de sécurité a échoué : ${detail}`, en: `The backup failed: ${detail}` })
}

function readSecret({ secret, isSecretGiven, dataDir }: Config) {
  const file = join(dataDir, 'session-secret')
  return isSecretGiven || !existsSync(file) ? secret : readFileSync(file, 'utf8').trim()
}

function check(site: Site): CommandResult {
  const interrupted = readJournal(site.places.journal)
  if (interrupted) {
    const { version } = interrupted.to
    throw new LocalizedError({
      fr: `Une mise à jour vers ${version} a été interrompue : lancez la commande avec --resume d’abord. Rien n’a été changé.`,
      en: `An update to ${version} was interrupted: run the command with --resume first. Nothing was changed.`,
    })
  }
  const target = findRequested(site)
  if (!target) return describeUpToDate(site.places)
  const { from, to, commits, migrations } = target
  const lines: LocalizedText[] = [
    {
      fr: `Version ${from.version} (${short(from.commit)}) → ${to.version} (${short(to.commit)}) : ${commits} commits, migrations : ${migrations}.`,
      en: `Version ${from.version} (${short(from.commit)}) → ${to.version} (${short(to.commit)}): ${commits} commits, migrations: ${migrations}.`,
    },
    ...(target.hasOtherPackages ? [{ fr: 'D’autres paquets seront installés.', en: 'Other packages will be installed.' }] : []),
    ...(target.hasOtherDeployment ? [otherDeployment] : []),
    { fr: 'Rien n’a été changé.', en: 'Nothing was changed.' },
  ]
  return { text: join2(lines), json: { outcome: 'available', ...describeTarget(target) } }
}

const otherDeployment = {
  fr: 'Les fichiers de deploy/ ont changé : comparez ceux qui sont installés (docs/operations.md).',
  en: 'The files of deploy/ changed: compare those that are installed (docs/operations.md).',
}

function describeUpToDate({ root }: Places): CommandResult {
  const { version, commit } = findRelease(root)
  return {
    text: {
      fr: `La version ${version} (${short(commit)}) est déjà la bonne.`,
      en: `Version ${version} (${short(commit)}) is installed already.`,
    },
    json: { outcome: 'up-to-date', version, commit },
  }
}

function describeOutcome({ from, to, backup, interruptionMs }: Outcome, { previous }: Places, target?: Target): CommandResult {
  const seconds = interruptionMs === null ? null : Number((interruptionMs / 1_000).toFixed(1))
  const lines: LocalizedText[] = [
    {
      fr: `Mis à jour de ${from.version} vers ${to.version}${seconds === null ? '' : `, interruption de ${String(seconds).replace('.', ',')} s`}. L’ancienne version est dans ${previous}, la copie de sécurité dans ${backup}.`,
      en: `Updated from ${from.version} to ${to.version}${seconds === null ? '' : `, interrupted for ${seconds} s`}. The old version is in ${previous}, the backup in ${backup}.`,
    },
    ...(target?.hasOtherDeployment ? [otherDeployment] : []),
  ]
  return { text: join2(lines), json: { outcome: 'updated', from, to, seconds, previous, backup } }
}

const short = (commit: string) => commit.slice(0, 8)
const join2 = (lines: LocalizedText[]): LocalizedText => ({
  fr: lines.map(({ fr }) => fr).join('\n'),
  en: lines.map(({ en }) => en).join('\n'),
})
const describeTarget = ({ from, to, commits, migrations, hasOtherPackages, hasOtherDeployment }: Target) => ({
  from,
  to,
  commits,
  migrations,
  other_packages: hasOtherPackages,
  other_deployment: hasOtherDeployment,
})
