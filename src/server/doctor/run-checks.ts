import type { CheckName } from '#src/lib/doctor-texts.ts'
import { checkNames } from '#src/lib/doctor-texts.ts'
import type { Config } from '../config.ts'
import { ConfigError, ownAddress, readConfig } from '../config.ts'
import { explainFailure } from '../failures.ts'
import type { Check, Context, Finding } from './checks.ts'
import { both, checks, problem, sameText } from './checks.ts'
import type { DatabaseFacts } from './connections.ts'
import { answersAt, limitMs, readDatabase } from './connections.ts'

/** A problem of these never stops the product. */
const warnAtMost: ReadonlySet<CheckName> = new Set(['backup', 'proxy', 'clock', 'mail_records'])

/** Tries every connection and setting, side by side, 5 s each at most. Sends no mail and changes nothing. */
export async function runChecks(environment: NodeJS.ProcessEnv, checkMailbox: Context['checkMailbox']): Promise<Check[]> {
  const { config, invalid } = readValidSettings(environment)
  const isRunning = await answersAt(ownAddress(config))
  const context = contextOf({ config, invalid, isRunning, checkMailbox })
  return Promise.all(checkNames.map(async (check) => ({ check, ...(await runOne(check, context)) })))
}

/** The same from within the product that runs, each as soon as it is known. */
export async function* checkRunning(config: Config, checkMailbox: Context['checkMailbox']): AsyncGenerator<Check> {
  const context = contextOf({ config, invalid: [], isRunning: true, checkMailbox })
  const open = new Map(checkNames.map((check) => [check, runOne(check, context).then((found) => ({ check, ...found }))]))
  while (open.size > 0) {
    const next = await Promise.race(open.values())
    open.delete(next.check)
    yield next
  }
}

function contextOf(given: Omit<Context, 'database'>): Context {
  let facts: Promise<DatabaseFacts> | undefined
  return { ...given, database: () => (facts ??= readDatabase(given.config.databaseUrl ?? '')) }
}

async function runOne(check: CheckName, context: Context): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding>((resolve) => {
    const message = both('Pas de réponse en 5 s', 'No response in 5 s')
    const fix = both('Vérifiez l’adresse, le port et le pare-feu.', 'Check the address, the port and the firewall.')
    timer = setTimeout(() => resolve(problem('fail', message, fix)), limitMs)
  })
  try {
    const found = await Promise.race([checks[check](context), late])
    return found.state === 'fail' && warnAtMost.has(check) ? { ...found, state: 'warn' } : found
  } catch (error) {
    const message = explainFailure(error) ?? sameText(error)
    const fix = both(
      'Corrigez cette cause, puis relancez npx guichet doctor.',
      'Correct this cause, then run npx guichet doctor again.',
    )
    return problem(warnAtMost.has(check) ? 'warn' : 'fail', message, fix)
  } finally {
    clearTimeout(timer)
  }
}

/** Settings that are not valid are left out, so that the others are tried. */
function readValidSettings(environment: NodeJS.ProcessEnv) {
  const given = { ...environment }
  const invalid: ConfigError[] = []
  for (;;) {
    try {
      return { config: readConfig(given, { isReadOnly: true }), invalid }
    } catch (error) {
      const name = error instanceof ConfigError ? /^[A-Z_\d]+/.exec(error.message)?.[0] : undefined
      if (!(error instanceof ConfigError) || !name || given[name] === undefined) throw error
      invalid.push(error)
      // oxlint-disable-next-line no-dynamic-delete -- a copy of the environment
      delete given[name]
    }
  }
}
