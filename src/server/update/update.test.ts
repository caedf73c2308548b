import { describe, expect, test } from 'vitest'
import type { Journal } from './journal.ts'
import { newJournal } from './journal.ts'
import type { Steps } from './update.ts'
import { resume, update } from './update.ts'

const [old, recent] = [
  { version: '1.0.0', commit: 'a' },
  { version: '1.1.0', commit: 'b' },
]

type World = ReturnType<typeof createWorld>
type Fault = { at: number; when: 'before' | 'after'; how: 'kill' | 'failure' }

/** A machine with an installed product, to which customers send as long as it runs. */
function createWorld({ isRunning = true, migrates = true } = {}) {
  return {
    installed: old,
    beside: null as typeof old | null,
    running: isRunning ? old : null,
    data: { schema: old, sent: [] as number[] },
    copy: null as { schema: typeof old; sent: number[] } | null,
    hasServed: false,
    acknowledged: [] as number[],
    /** What a new version took that was not ready in time: kept beside, and named. */
    replaced: [] as number[],
    journal: null as Journal | null,
    migrates,
    works: { migration: true, start: true },
  }
}

function customerSends(world: World) {
  if (!world.running) return
  const number = world.acknowledged.length + 1
  world.data.sent.push(number)
  world.acknowledged.push(number)
  if (world.copy) world.hasServed = true
}

/** As systemd does after a power cut: the old version refuses data that the new one migrated. */
function startProduct(world: World) {
  const canRead = world.installed === recent || world.data.schema === old
  const isGood = world.installed === old || world.works.start
  if (!world.running && canRead && isGood) {
    world.running = world.installed
    if (world.running === recent && world.migrates) world.data.schema = recent
  }
  customerSends(world)
}

const copyOf = ({ schema, sent }: World['data']) => ({ schema, sent: [...sent] })

/** The steps on such a machine; the fault takes place at one of them, and after a kill nothing happens any more. */
function createSteps(world: World, fault?: Fault) {
  let count = 0
  let isKilled = false
  const wrap = <Given extends unknown[], Result>(step: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      if (isKilled) throw new Error('killed')
      count += 1
      const isDue = fault?.at === count
      const strike = () => {
        isKilled = fault?.how === 'kill'
        throw new Error(fault?.how)
      }
      if (isDue && fault?.when === 'before') strike()
      const result = step(...given)
      if (result instanceof Promise) result.catch(() => undefined)
      customerSends(world)
      if (isDue && fault?.when === 'after') strike()
      return result
    }
  }
  const steps: Steps = {
    backUp: wrap(() => Promise.resolve('/backups/1.tar.gz')),
    prepare: wrap(async () => void (world.beside = recent)),
    rehearse: wrap(() => Promise.resolve(1)),
    isRunning: wrap(() => Promise.resolve(world.running !== null)),
    stop: wrap(async () => void (world.running = null)),
    start: wrap(async () => startProduct(world)),
    copyData: wrap(async () => {
      expect(world.running).toBeNull()
      world.copy = copyOf(world.data)
      world.hasServed = false
    }),
    migrate: wrap(async () => {
      expect([world.running, world.copy]).toEqual([null, world.data])
      world.data.schema = recent
      if (!world.works.migration) throw new Error('the migration failed')
    }),
    hasServed: () => world.hasServed,
    restoreData: wrap(async () => {
      expect(world.running).toBeNull()
      const { copy, data } = world
      if (!copy) return null
      const newer = data.sent.filter((number) => !copy.sent.includes(number))
      world.replaced.push(...newer)
      world.data = copyOf(copy)
      return newer.length > 0 ? '/backups/replaced' : null
    }),
    findInstalled: () => world.installed,
    exchange: wrap(() => {
      const { beside } = world
      expect(beside).not.toBeNull()
      ;[world.installed, world.beside] = [beside ?? old, world.installed]
    }),
    repairExchange: () => undefined,
    waitUntilReady: wrap(async (release) => {
      if (world.running !== release) throw new Error(`${release.version} does not answer`)
    }),
    keepPrevious: wrap(() => undefined),
    removeNext: wrap(() => void (world.beside = null)),
    discardCopies: wrap(async () => {
      world.copy = null
      world.hasServed = false
    }),
    record: wrap((journal) => void (world.journal = journal)),
    clear: wrap(() => void (world.journal = null)),
  }
  return { steps, count: () => count }
}

const journalOf = ({ migrates }: World) => newJournal({ from: old, to: recent, migrates, control: { kind: 'none' } })

const run = (world: World, fault?: Fault) =>
  update(journalOf(world), createSteps(world, fault).steps).then(
    (outcome) => ({ outcome, message: '' }),
    (error: unknown) => ({ outcome: null, message: String(error) }),
  )

async function countSteps(options: Parameters<typeof createWorld>[0]) {
  const world = createWorld(options)
  const { steps, count } = createSteps(world)
  await update(journalOf(world), steps)
  return count()
}

function expectWhole(world: World, isRunning = true) {
  expect(world.journal).toBeNull()
  expect(world.copy).toBeNull()
  expect(!isRunning || world.running === world.installed).toBe(true)
  expect(world.data.schema).toBe(world.migrates ? world.installed : old)
  expect([...world.replaced, ...world.data.sent].toSorted((a, b) => a - b)).toEqual(world.acknowledged)
}

const kinds = [
  { isRunning: true, migrates: true },
  { isRunning: true, migrates: false },
  { isRunning: false, migrates: true },
]

describe.each(kinds)('an update (running: $isRunning, with migrations: $migrates)', (options) => {
  test('installs the new version with all data, and leaves a stopped product stopped', async () => {
    const world = createWorld(options)
    const { outcome } = await run(world)
    expect(outcome).toMatchObject({ from: old, to: recent, backup: '/backups/1.tar.gz' })
    expect(world.installed).toBe(recent)
    expect(world.running).toBe(options.isRunning ? recent : null)
    expectWhole(world, options.isRunning)
  })

  test.each(['before', 'after'] as const)('killed %s any step, it ends on one of the versions with all data', async (when) => {
    const steps = await countSteps(options)
    expect(steps).toBeGreaterThan(15)
    for (let at = 1; at <= steps; at += 1)
      for (const isRestarted of [false, true]) {
        const world = createWorld(options)
        await run(world, { at, when, how: 'kill' })
        if (isRestarted) startProduct(world)
        if (world.journal) await resume(world.journal, createSteps(world).steps)
        // What ran before goes on.
        expectWhole(world, options.isRunning)
        expect(world.replaced).toEqual([])
      }
  })

  test('killed again while it is undone, it ends on one of the versions with all data', async () => {
    const steps = await countSteps(options)
    for (let at = 1; at <= steps; at += 1)
      for (let next = 1; next < 14; next += 1) {
        const world = createWorld(options)
        world.works.start = at % 2 === 0
        await run(world, { at, when: 'after', how: 'kill' })
        if (!world.journal) continue
        await resume(world.journal, createSteps(world, { at: next, when: 'after', how: 'kill' }).steps).catch(() => null)
        if (world.journal) await resume(world.journal, createSteps(world).steps).catch(() => null)
        if (world.journal) await resume(world.journal, createSteps(world).steps)
        expectWhole(world, options.isRunning)
      }
  })

  test('a failure of any step leaves the version before, with all data and its sentence', async () => {
    const steps = await countSteps(options)
    for (let at = 2; at <= steps; at += 1) {
      const world = createWorld(options)
      const { outcome, message } = await run(world, { at, when: 'before', how: 'failure' })
      // A failed cleanup of a version that is ready already is ended by the next command.
      if (world.journal) await resume(world.journal, createSteps(world).steps)
      expect(outcome ? 'failure' : message).toMatch(/failure/)
      expect(message.includes('/backups/replaced')).toBe(world.replaced.length > 0)
      expectWhole(world, options.isRunning)
    }
  })
})

test('a version whose migration fails, or that does not start, gives way to the one before', async () => {
  for (const works of [
    { migration: false, start: true },
    { migration: true, start: false },
  ]) {
    const world = createWorld()
    world.works = works
    const { message } = await run(world)
    expect(message).toMatch(/The update to 1\.1\.0 failed, and version 1\.0\.0 is back with all its data/)
    expect(world.installed).toBe(old)
    expect(world.beside).toBeNull()
    expectWhole(world)
  }
})

test('a new version that served before it failed is not undone by a later command: that would lose what was sent', async () => {
  const world = createWorld()
  const steps = await countSteps({})
  for (let at = 1; at <= steps; at += 1) {
    await run(world, { at, when: 'after', how: 'kill' })
    if (world.journal?.phase === 'switching' && world.running === recent) break
    Object.assign(world, createWorld())
  }
  customerSends(world)
  world.running = null
  world.works.start = false
  const journal = world.journal ?? journalOf(world)
  await expect(resume(journal, createSteps(world).steps)).rejects.toThrow('going back would lose what was sent since')
  expect([world.installed, world.data.sent]).toEqual([recent, world.acknowledged])
  world.works.start = true
  expect(await resume(journal, createSteps(world).steps)).toMatchObject({ to: recent })
  expectWhole(world)
})
