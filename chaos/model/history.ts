import { pause } from '../clients.ts'
import type { Violation } from './checker.ts'
import { check } from './checker.ts'
import { openConversations } from './conversations.ts'
import { createCustomers } from './customers.ts'
import { cause } from './faults.ts'
import type { Journal } from './journal.ts'
import type { Lane } from './lane.ts'
import { createOutages } from './outages.ts'
import type { Act, Step } from './steps.ts'
import { isFault } from './steps.ts'
import { isSettled, readStored } from './stored.ts'
import type { World } from './world.ts'
import { startWorld } from './world.ts'

/** How long after the last fault everything that was begun may take. */
const longestMs = 120_000
const lookMs = 250

/** `isReal`: alarms and mails are waited for in real time. Else time is moved on for the alarms, and mails may still wait. */
type Pace = { isReal: boolean }
export type Outcome = { violations: Violation[]; journal: Journal; logs: string[]; latestAlarmMs: number }

/** Performs a history, lifts its faults, waits until it has settled, and checks it. */
export async function performHistory(lane: Lane, steps: readonly Step[], pace: Pace): Promise<Outcome> {
  const world = await startWorld(lane)
  try {
    const { journal } = world
    let isOver = false
    const people = await openPeople(world, () => isOver)
    const running = new Set<Promise<unknown>>()
    for (const { afterMs, ...step } of steps) {
      await pause(afterMs)
      const work = (isFault(step) ? cause(world, step) : people.perform(step)).catch((error: unknown) => {
        journal.noticed.push(`${step.do} failed: ${String(error)}`)
      })
      running.add(work)
      void work.finally(() => running.delete(work))
    }
    await waitUntil(() => !journal.faults.some(({ until }) => until === Number.POSITIVE_INFINITY), longestMs)
    await liftFaults(world)
    await waitUntil(async () => (await Promise.all(world.instances.map((one) => one.isReady()))).every(Boolean), longestMs)
    if (world.frames.wasDropped) people.conversations.reconnect()
    if (!(await waitUntil(() => running.size === 0, longestMs)))
      journal.noticed.push(`${running.size} steps were never acknowledged`)
    // Moving the clocks would mark a visitor who still reconnects as gone.
    await waitUntil(people.conversations.areConnected, longestMs)
    isOver = true
    await settle(world, pace)
    await waitUntil(() => {
      people.conversations.show()
      return isAgreed(journal)
    }, 30_000)
    let stored = await readStored(world)
    // Each minute writes mails about conversations that wait, also once everything else is settled.
    if (pace.isReal)
      await waitUntil(async () => {
        stored = await readStored(world)
        return stored.mails.every(({ state }) => state !== 'waiting')
      }, 120_000)
    people.conversations.stop()
    const result = check(journal, stored, pace)
    return { ...result, journal, logs: world.instances.map((one) => one.log()) }
  } finally {
    await world.stop()
  }
}

async function openPeople(world: World, isOver: () => boolean) {
  const conversations = await openConversations(world, isOver)
  const customers = createCustomers(world, isOver)
  const outages = createOutages(world, isOver)
  async function perform(step: Act): Promise<unknown> {
    switch (step.do) {
      case 'form':
        return customers.sendForm(step)
      case 'mail':
        return customers.sendMail(step)
      case 'reply':
        return customers.reply(step)
      case 'chat':
        return conversations.begin(step)
      case 'message':
        return conversations.write(step)
      case 'move':
        return conversations.move(step)
      case 'claim':
        return conversations.claim(step)
      case 'answer':
        return conversations.answer(step)
      case 'hand over':
        return conversations.handOver(step)
      case 'close':
        return conversations.close(step)
      case 'signal':
        return outages.signal(step)
      case 'incident':
        return outages.declare(step)
    }
  }
  return { conversations, perform }
}

/** Ends whatever a fault that overlapped another one left. */
async function liftFaults({ instances, mailWire, smtp, frames, lane }: World) {
  for (const one of instances) {
    one.thaw()
    one.setClock(0)
    one.databaseWire.set(null)
    one.redisWire.set(null)
  }
  mailWire.set(null)
  smtp.setMood('accept')
  frames.fault = null
  await lane.start()
}

/** Where time is not real, the clocks of the instances are moved on by what the alarms of conversations wait for. */
const alarmAfterMs = 180_000

async function settle(world: World, { isReal }: Pace) {
  if (!isReal) for (const one of world.instances) one.setClock(alarmAfterMs)
  await waitUntil(() => isSettled(world, { isReal }), isReal ? 300_000 : 60_000)
}

/** Whether each side shows the same messages. */
function isAgreed({ shown }: Journal) {
  const longest = new Map<number, number>()
  for (const { id, messages } of shown) longest.set(id, Math.max(longest.get(id) ?? 0, messages.length))
  return shown.every(({ id, messages, unsent }) => messages.length === longest.get(id) && unsent === 0)
}

/** Returns false where it did not come about in time. */
async function waitUntil(condition: () => boolean | Promise<boolean>, mostMs: number) {
  const endsAt = performance.now() + mostMs
  while (performance.now() < endsAt) {
    if (await condition()) return true
    await pause(lookMs)
  }
  return false
}
