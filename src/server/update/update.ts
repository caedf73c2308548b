import type { LocalizedText } from '#src/lib/form-result.ts'
import { LocalizedError } from '../localized-error.ts'
import { summarizeError } from '../log.ts'
import { explainFailure } from '../failures.ts'
import type { Journal, Release } from './journal.ts'

/** What an update does to an installation. Each may be repeated after a kill in its middle. */
export type Steps = {
  /** Returns the archive. */
  backUp: () => Promise<string>
  /** Fetches, installs and builds the new version beside the installed one. */
  prepare: () => Promise<void>
  /** Starts the new version on a copy of the data; returns how long it took to be ready, or null where there can be no copy. */
  rehearse: () => Promise<number | null>
  isRunning: () => Promise<boolean>
  /** Returns once the product has closed its database. */
  stop: () => Promise<void>
  start: () => Promise<void>
  /** Copies the data of the stopped product. */
  copyData: () => Promise<void>
  /** The new version migrates the real data and is asked for pages, where nobody else reaches it. */
  migrate: (limitMs: number) => Promise<void>
  /** Whether a product served since the copy was made, which is outdated then. */
  hasServed: () => boolean
  /** Puts the copy back; what it replaces is kept where a product has served it: returns that place. */
  restoreData: () => Promise<string | null>
  /** The version in the folder of the installation. */
  findInstalled: () => Release
  exchange: () => void
  repairExchange: () => void
  /** Throws where the product does not answer as this version in time, or gave up starting. */
  waitUntilReady: (release: Release, limitMs: number) => Promise<void>
  /** Keeps the version before, and removes the one before that. */
  keepPrevious: () => void
  /** Removes the new version. */
  removeNext: () => void
  /** Removes the copies of the data. */
  discardCopies: () => Promise<void>
  record: (journal: Journal) => void
  /** The update is at its end. */
  clear: () => void
}

export type Outcome = { from: Release; to: Release; backup: string | null; interruptionMs: number | null }

const leastLimitMs = 60_000
/** A large PostgreSQL is migrated statement by statement while others write. */
const unrehearsedLimitMs = 20 * 60_000
/** The real data may be on a busier disk than its copy. */
const patience = 10

/** The whole update; throws after it went back to the version before. */
export async function update(begun: Journal, steps: Steps): Promise<Outcome> {
  let journal = begun
  const record = (change: Partial<Journal>) => {
    journal = { ...journal, ...change }
    steps.record(journal)
  }
  record({})
  try {
    const backup = await steps.backUp()
    await steps.prepare()
    const readyMs = await steps.rehearse()
    const limit = readyMs === null ? unrehearsedLimitMs : Math.max(leastLimitMs, patience * readyMs)
    const isRunning = await steps.isRunning()
    record({ backup, limit_ms: limit, stopped_at: isRunning ? Date.now() : null })
  } catch (error) {
    steps.removeNext()
    await steps.discardCopies()
    steps.clear()
    throw error
  }
  try {
    record({ phase: 'stopping' })
    await steps.stop()
    await steps.copyData()
    if (journal.migrates) {
      record({ phase: 'migrating' })
      await steps.migrate(journal.limit_ms)
    }
    record({ phase: 'switching' })
    steps.exchange()
    await steps.start()
    await steps.waitUntilReady(journal.to, journal.limit_ms)
  } catch (error) {
    return revert(journal, steps, { error, restores: journal.migrates && isDataTouched(journal) })
  }
  return finish(journal, steps)
}

const isDataTouched = ({ phase }: Journal) => phase === 'migrating' || phase === 'switching'

/** Brings an update that was killed to its end. Returns null where the version before goes on. */
export async function resume(journal: Journal, steps: Steps): Promise<Outcome | null> {
  steps.repairExchange()
  const isNew = isSame(steps.findInstalled(), journal.to)
  if (journal.phase === 'preparing') {
    await steps.discardCopies()
    steps.clear()
    return null
  }
  if (journal.phase === 'finishing') return finish(journal, steps)
  if (journal.phase === 'switching' && isNew) {
    try {
      if (!(await steps.isRunning())) await steps.start()
      await steps.waitUntilReady(journal.to, journal.limit_ms)
    } catch (error) {
      if (!steps.hasServed()) return revert(journal, steps, { error, restores: journal.migrates })
      throw new LocalizedError(
        {
          fr: `La version ${journal.to.version} a été en service, mais ne répond pas : revenir en arrière perdrait ce qui a été envoyé depuis. Rien n’a été changé : corrigez ce que le journal du produit nomme, puis relancez la commande. ${explain(error).fr}`,
          en: `Version ${journal.to.version} has served, but does not answer: going back would lose what was sent since. Nothing was changed: mend what the log of the product names, then run the command again. ${explain(error).en}`,
        },
        'unreachable',
        { cause: error },
      )
    }
    return finish(journal, steps)
  }
  const restores =
    journal.phase === 'reverting' ? journal.restores : journal.migrates && isDataTouched(journal) && !steps.hasServed()
  await goBack(journal, steps, restores)
  return null
}

async function finish(journal: Journal, steps: Steps): Promise<Outcome> {
  const { from, to, backup, stopped_at: stoppedAt } = journal
  const interruptionMs = journal.phase === 'finishing' || stoppedAt === null ? null : Date.now() - stoppedAt
  steps.record({ ...journal, phase: 'finishing' })
  // As it was found.
  if (stoppedAt === null) await steps.stop()
  steps.keepPrevious()
  await steps.discardCopies()
  steps.clear()
  return { from, to, backup, interruptionMs }
}

async function revert(
  journal: Journal,
  steps: Steps,
  { error, restores }: { error: unknown; restores: boolean },
): Promise<never> {
  const reason = explain(error)
  const replaced = await goBack({ ...journal, reason }, steps, restores)
  const { from, to } = journal
  const rest = {
    fr: replaced ? ` Ce qui a été envoyé à la version ${to.version} dans ce court moment est dans ${replaced}.` : '',
    en: replaced ? ` What was sent to version ${to.version} in that short time is in ${replaced}.` : '',
  }
  throw new LocalizedError(
    {
      fr: `La mise à jour vers ${to.version} a échoué, et la version ${from.version} est de retour avec toutes ses données : ${reason.fr}${rest.fr}`,
      en: `The update to ${to.version} failed, and version ${from.version} is back with all its data: ${reason.en}${rest.en}`,
    },
    'refused',
    { cause: error },
  )
}

async function goBack(journal: Journal, steps: Steps, restores: boolean) {
  steps.record({ ...journal, phase: 'reverting', restores })
  const isNew = isSame(steps.findInstalled(), journal.to)
  if (isNew || restores || !(await steps.isRunning())) await steps.stop()
  if (isNew) steps.exchange()
  let replaced: string | null = null
  if (restores) {
    replaced = await steps.restoreData()
    // From here on the data is that of the version before, which may change it.
    steps.record({ ...journal, phase: 'reverting', restores: false })
  }
  if (!(await steps.isRunning())) await steps.start()
  await steps.waitUntilReady(journal.from, journal.limit_ms).catch((error: unknown) => {
    const { from, backup } = journal
    throw new LocalizedError(
      {
        fr: `La version ${from.version} est de retour, mais ne répond pas : ${explain(error).fr} Corrigez ce que le journal du produit nomme, puis relancez la commande. La copie de sécurité est ${backup ?? 'dans DATA_DIR/backups'}.`,
        en: `Version ${from.version} is back, but does not answer: ${explain(error).en} Mend what the log of the product names, then run the command again. The backup is ${backup ?? 'in DATA_DIR/backups'}.`,
      },
      'unreachable',
      { cause: error },
    )
  })
  if (journal.stopped_at === null) await steps.stop()
  // After a kill nothing is known against it: the next attempt uses what is built.
  if (journal.reason) steps.removeNext()
  await steps.discardCopies()
  steps.clear()
  return replaced
}

export const isSame = (one: Release, other: Release) => one.commit === other.commit

function explain(error: unknown): LocalizedText {
  const message = summarizeError(error)
  return explainFailure(error) ?? { fr: message, en: message }
}
