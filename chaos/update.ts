import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { pause } from './clients.ts'
import { fill } from './disk.ts'
import type { Installation } from './installation.ts'
import { addMigration, createInstallation, findAbsent, killTree, readPhase, sendForms } from './installation.ts'
import { startPostgres } from './postgres.ts'
import type { Result, Row } from './row.ts'

const kills = Number(process.env.UPDATE_KILLS ?? 20)
const seed = Number(process.env.UPDATE_SEED ?? 19)

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function createRandom(start: number) {
  let state = start
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** About as long as an update takes. */
const spreadMs = 45_000
const latePhases = ['migrating', 'switching', 'stopping', 'finishing']
const latePhaseMs = 1_500

const addColumn = (number: number) => (folder: string) =>
  addMigration(folder, `ALTER TABLE "requests" ADD COLUMN "added_${number}" text;`)

const killing = `kill -9 an update and what it started ${kills} times at random (seed ${seed}) while forms are sent`

async function killAtRandom(installation: Installation): Promise<Result> {
  const random = createRandom(seed)
  const phases: string[] = []
  let [unended, backOnOld] = [0, 0]
  for (let kill = 1; kill <= kills; kill += 1) {
    const [before, after] = [installation.version(), `1.0.${kill}`]
    installation.release(after, addColumn(kill))
    const running = installation.update()
    // Half of them where the product stands still, in each of its phases in turn: they are the shortest.
    const late = kill % 2 === 0 ? latePhases[(kill / 2 - 1) % latePhases.length] : undefined
    if (late) await untilPhase(installation, late, running.ended)
    await pause(random() * (late ? latePhaseMs : spreadMs))
    phases.push(readPhase(installation.journal))
    killTree(running.pid)
    await running.ended
    const ended = installation.update(['--resume'])
    if ((await ended.ended) !== 0) process.stdout.write(ended.output())
    await installation.untilReady()
    const version = installation.version()
    if (version === before) backOnOld += 1
    if ((version !== before && version !== after) || readPhase(installation.journal) !== 'none') unended += 1
    process.stdout.write(`  kill ${kill} (${phases.at(-1)}): ${before} -> ${version}\n`)
  }
  installation.release('1.1.0', addColumn(kills + 1))
  const startedAt = performance.now()
  const last = installation.update()
  if ((await last.ended) !== 0) throw new Error(last.output())
  const lasted = performance.now() - startedAt
  return {
    good: unended === 0,
    figures: {
      'an update (ms)': Math.round(lasted),
      killed: phases.join(', '),
      'back on the old version': backOnOld,
      'forward to the new one': kills - backOnOld,
      'neither of them': unended,
    },
  }
}

export const update: Row = { name: 'update', fault: killing, run: () => whileFormsAreSent(killAtRandom) }

export const updateOnPostgres: Row = {
  name: 'update-postgres',
  fault: `${killing}, on PostgreSQL`,
  async run() {
    const postgres = await startPostgres()
    try {
      return await whileFormsAreSent(killAtRandom, { environment: { DATABASE_URL: postgres.url } })
    } finally {
      await postgres.remove()
    }
  },
}

/** On a running installation, with a disk of its own where `diskMb` is given; each acknowledged form has to be there at the end. */
async function whileFormsAreSent(
  work: (installation: Installation) => Promise<Result>,
  { environment = {}, diskMb = 0 }: { environment?: Record<string, string>; diskMb?: number } = {},
): Promise<Result> {
  const installation = await createInstallation(environment, diskMb)
  installation.start()
  await installation.untilReady()
  const forms = sendForms(installation.address)
  try {
    const { good, figures } = await work(installation)
    await forms.stop()
    const absent = await findAbsent(installation.address, forms.references)
    const counts = { 'forms acknowledged': forms.references.length, 'acknowledged but absent': absent.length }
    return { good: good && absent.length === 0 && forms.references.length > 0, figures: { ...figures, ...counts } }
  } finally {
    await forms.stop()
    installation.remove()
  }
}

async function untilPhase({ journal }: Installation, phase: string, ended: Promise<unknown>) {
  const isOver = ended.then(() => true)
  while (readPhase(journal) !== phase && !(await Promise.race([isOver, pause(5)])));
}

/** Seconds of the preparation, and the phases after it, in which the disk fills up. */
const fullAt = [2, 15, 30, ...latePhases]
const installationMb = 4_000

export const updateDiskFull: Row = {
  name: 'update-disk-full',
  fault: `fill the one disk of an installation in each part of an update (seed ${seed}) while forms are sent`,
  run: () =>
    whileFormsAreSent(
      async (installation) => {
        const random = createRandom(seed)
        const figures: Record<string, string | number> = {}
        let isGood = true
        for (const [at, moment] of fullAt.entries()) {
          const [before, after] = [installation.version(), `3.0.${at}`]
          installation.release(after, addColumn(100 + at))
          const running = installation.update()
          if (typeof moment === 'number') await pause((moment + random()) * 1_000)
          else await untilPhase(installation, moment, running.ended)
          const phase = readPhase(installation.journal)
          const free = fill(installation.folder)
          const code = await running.ended
          const isServing = await installation.isReady()
          free()
          const resumed = installation.update(['--resume'])
          if ((await resumed.ended) !== 0) process.stdout.write(resumed.output())
          // A database that finds no space for its log ends the process: a supervisor starts it again.
          if (!installation.isRunning()) installation.start()
          await installation.untilReady()
          const version = installation.version()
          process.stdout.write(`  ${moment} (${phase}): ${before} -> ${version}\n`)
          const isWhole = (version === before || version === after) && readPhase(installation.journal) === 'none'
          isGood &&= isWhole
          const said = running.output().trim().split('\n').at(-1)
          figures[`${moment} (${phase})`] =
            `${isWhole ? version : 'NOT WHOLE'}, ${isServing ? 'serving' : 'away'}, code ${code}: ${said}`
        }
        return { good: isGood, figures }
      },
      { diskMb: installationMb },
    ),
}

const prepend = (file: string, line: string) => writeFileSync(file, `${line}\n${readFileSync(file, 'utf8')}`)

function replaceIn(file: string, from: string, to: string) {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from} any more`)
  writeFileSync(file, text.replace(from, to))
}

const breakStart = (folder: string) => writeFileSync(join(folder, 'src/main.ts'), 'process.exit(1)\n')

/** Each new version that is no good, and what else may be wrong: the old version goes on, and says why. */
export const updateRefused: Row = {
  name: 'update-refused',
  fault: 'a new version that does not start, whose migration fails, that is never ready, that is not built',
  run: () =>
    whileFormsAreSent(async (installation) => {
      const figures: Record<string, string | number> = {}
      let isGood = true
      const cases: [string, (folder: string) => void][] = [
        ['does not start', breakStart],
        ['migration fails', (folder) => addMigration(folder, 'ALTER TABLE "nowhere" ADD COLUMN "a" text;')],
        [
          'starts in the trial alone, after a migration',
          (folder) => {
            addMigration(folder, 'ALTER TABLE "requests" ADD COLUMN "a" text;')
            prepend(join(folder, 'src/main.ts'), "if (process.env.GUICHET_TRIAL !== '1') process.exit(1)")
          },
        ],
        [
          'is never ready but in the trial',
          (folder) =>
            replaceIn(
              join(folder, 'src/server/observability/health.ts'),
              'if (!(await',
              "if (process.env.GUICHET_TRIAL !== '1' || !(await",
            ),
        ],
        ['is not built', (folder) => writeFileSync(join(folder, 'src/root.tsx'), 'this is no code')],
      ]
      for (const [at, [name, change]] of cases.entries()) {
        installation.release(`2.0.${at}`, change)
        const before = installation.version()
        const running = installation.update([`2.0.${at}`])
        const code = await running.ended
        await installation.untilReady()
        const isBack = installation.version() === before && code === 1 && readPhase(installation.journal) === 'none'
        isGood &&= isBack
        figures[name] = `${isBack ? 'the old one goes on' : 'NOT BACK'}: ${running.output().trim().split('\n').at(-1)}`
      }
      return { good: isGood, figures }
    }),
}
