import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Row } from '../row.ts'
import { kinds } from './checker.ts'
import type { Outcome } from './history.ts'
import { performHistory } from './history.ts'
import type { Journal } from './journal.ts'
import { countMatters } from './journal.ts'
import type { Lane } from './lane.ts'
import { startLane } from './lane.ts'
import type { Step } from './steps.ts'
import { faultKinds, histories } from './steps.ts'

const scale = { steps: 1_000, actsPerFault: 40, pauseMs: 120, faultMs: 8_000, hasDisks: process.getuid?.() === 0 }
const hourMs = 3_600_000
/** A history takes minutes: a shorter one that fails too is looked for as long as this. */
const shrinkMs = 15 * 60_000
const progressMs = 30_000
/** Failures that were found, shrunk as far as there was time; each run begins with them. */
const seedsFile = join(import.meta.dirname, 'seeds.json')
type Kept = { seed: number; found: string[]; steps: Step[] }

const readKept = () => JSON.parse(readFileSync(seedsFile, 'utf8')) as Kept[]

export const model: Row = {
  name: 'model',
  fault: 'histories of forms, mails, conversations, signals and outages on two instances under random faults',
  async run({ hours, matters, lanes: laneCount, seed }) {
    const figures = newFigures()
    const endsAt = Date.now() + hours * hourMs
    const isDone = () => Date.now() > endsAt || figures.matters >= matters
    const folder = mkdtempSync(join(tmpdir(), 'guichet-failures-'))
    const lanes: Lane[] = []
    for (let lane = 0; lane < laneCount; lane += 1)
      lanes.push(await startLane({ program: 'build/server/main.js', hasDisks: scale.hasDisks }))
    process.stdout.write(`  seed ${seed}; what fails is described in ${folder}\n`)
    const progress = setInterval(() => report(figures), progressMs)
    const examples = readKept().map(({ steps }): [Step[]] => [steps])
    await Promise.all(
      lanes.map((lane, index) =>
        explore(lane, { seed: seed + index, examples: index === 0 ? examples : [], isDone, figures, folder }),
      ),
    )
    clearInterval(progress)
    for (const lane of lanes) await lane.stop()
    return { good: figures.failed === 0 && figures.matters > 0, figures: describe(figures) }
  },
}

type Exploration = { seed: number; examples: [Step[]][]; isDone: () => boolean; figures: Figures; folder: string }

/** Performs histories until the time is over; each failure is shrunk and kept. */
async function explore(lane: Lane, { seed, examples, isDone, figures, folder }: Exploration) {
  for (let run = 0; !isDone(); run += 1) {
    const ownSeed = seed * 1_000 + run
    let shrinkUntil = 0
    let shortest = Number.POSITIVE_INFINITY
    const property = fc.asyncProperty(histories(scale), async (steps) => {
      const isShrinking = shrinkUntil > 0
      // Without time left everything passes, which ends the search.
      if (isShrinking ? Date.now() > shrinkUntil : isDone()) return
      const outcome = await performHistory(lane, steps, { isReal: true })
      count(figures, outcome, isShrinking)
      if (outcome.violations.length === 0) return
      shrinkUntil ||= Date.now() + shrinkMs
      const found = outcome.violations.map(({ kind, what }) => `${kind}: ${what}`)
      if (steps.length < shortest) {
        shortest = steps.length
        keep({ seed: ownSeed, found: found.slice(0, 10), steps })
      }
      describeFailure(folder, `${ownSeed}-${steps.length}`, steps, found, outcome)
      process.stdout.write(`  seed ${ownSeed}, ${steps.length} steps: ${found.slice(0, 3).join('; ')}\n`)
      throw new Error(found.join('\n'))
    })
    await fc.check(property, { seed: ownSeed, numRuns: 1_000, unbiased: true, examples: run === 0 ? examples : [] })
  }
}

/** The shortest of each seed. */
function keep(failure: Kept) {
  const others = readKept().filter(({ seed }) => seed !== failure.seed)
  writeFileSync(seedsFile, `${JSON.stringify([...others, failure], null, 2)}\n`)
}

function describeFailure(folder: string, name: string, steps: Step[], found: string[], { journal, logs }: Outcome) {
  const { received: _received, alerts, ...seen } = journal
  const text = { found, steps, seen: { ...seen, alerts: [...alerts] } }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(text, null, 1))
  for (const [at, log] of logs.entries()) writeFileSync(join(folder, `${name}-instance${at}.log`), log)
}

type Figures = ReturnType<typeof newFigures>
const newFigures = () => ({
  startedAt: Date.now(),
  histories: 0,
  failed: 0,
  shrinking: 0,
  matters: 0,
  matterKinds: { forms: 0, mails: 0, conversations: 0, messages: 0, 'signals down': 0, outages: 0, replies: 0 },
  faults: Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<(typeof faultKinds)[number], number>,
  violations: Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<(typeof kinds)[number], number>,
  mails: 0,
  repeated: 0,
  latestAlarmMs: 0,
})

function count(figures: Figures, { journal, violations, latestAlarmMs }: Outcome, isShrinking: boolean) {
  figures.shrinking += isShrinking ? 1 : 0
  if (isShrinking) return
  figures.histories += 1
  figures.failed += violations.length > 0 ? 1 : 0
  figures.matters += countMatters(journal)
  addMatters(figures.matterKinds, journal)
  for (const { fault } of journal.faults) figures.faults[fault.do] += 1
  for (const { kind } of violations) figures.violations[kind] += 1
  figures.mails += journal.received.length
  figures.repeated += journal.received.length - new Set(journal.received.map(({ messageId }) => messageId)).size
  figures.latestAlarmMs = Math.max(figures.latestAlarmMs, latestAlarmMs)
}

function addMatters(all: Figures['matterKinds'], { forms, mails, chats, signals, incidents, replies }: Journal) {
  all.forms += forms.length
  all.mails += mails.length
  all.conversations += chats.length
  all.messages += chats.reduce((sum, { sent }) => sum + sent.length, 0)
  all['signals down'] += signals.filter(({ state }) => state === 'down').length
  all.outages += incidents.length
  all.replies += replies.length
}

const list = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ')

function describe({
  histories: done,
  failed,
  shrinking,
  matters,
  matterKinds,
  faults,
  violations,
  mails,
  repeated,
  latestAlarmMs,
}: Figures) {
  return {
    histories: done,
    'of them failed': failed,
    'more to shrink them': shrinking,
    matters,
    'of each kind': list(matterKinds),
    faults: list(faults),
    violations: list(violations),
    mails,
    'delivered again after a fault (same Message-ID)': repeated,
    'latest alarm (s)': Math.round(latestAlarmMs / 1_000),
  }
}

function report({ startedAt, histories: done, matters, failed, shrinking }: Figures) {
  const minutes = Math.round((Date.now() - startedAt) / 60_000)
  process.stdout.write(`  ${minutes} min: ${done} histories, ${matters} matters, ${failed} failed, ${shrinking} to shrink\n`)
}
