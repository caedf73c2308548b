import { pause } from '../clients.ts'
import type { Fault } from './steps.ts'
import type { World } from './world.ts'
import { fill } from '../disk.ts'

/** Causes a fault for its time; what is left of it is ended by `liftFaults`. */
export async function cause(world: World, fault: Fault) {
  const { journal, instances } = world
  const time = { fault, from: Date.now(), until: Number.POSITIVE_INFINITY }
  journal.faults.push(time)
  try {
    if (fault.do === 'kill') return instances[fault.at].kill()
    if (fault.do === 'restart') return await restart(world, fault.of)
    const lift = begin(world, fault)
    await pause(fault.forMs)
    await lift()
  } finally {
    time.until = Date.now()
  }
}

async function restart({ lane, redis }: World, of: 'redis' | 'database') {
  if (of === 'database') return lane.restart()
  await redis.stop()
  return redis.start()
}

/** Returns how to end it. */
function begin(world: World, fault: Exclude<Fault, { do: 'kill' | 'restart' }>): () => void | Promise<void> {
  const { instances, frames, smtp, mailWire, lane } = world
  switch (fault.do) {
    case 'freeze':
      instances[fault.at].freeze()
      return () => instances[fault.at].thaw()
    case 'partition': {
      const wire = fault.from === 'redis' ? instances[fault.at].redisWire : instances[fault.at].databaseWire
      wire.set(fault.how)
      return () => wire.set(null)
    }
    case 'mail server': {
      if (fault.how === 451) {
        smtp.setMood(451)
        return () => smtp.setMood('accept')
      }
      if (fault.how === 'unacknowledged') {
        const release = smtp.hold()
        return () => {
          // What it took without saying so, nobody knows.
          mailWire.set('refused')
          mailWire.set(null)
          release()
        }
      }
      mailWire.set(fault.how)
      return () => mailWire.set(null)
    }
    case 'frames':
      frames.fault = fault.how
      frames.wasDropped ||= fault.how === 'dropped'
      return () => void (frames.fault = null)
    case 'clock':
      instances[fault.at].setClock(fault.shiftMs)
      return () => instances[fault.at].setClock(0)
    case 'full disk': {
      const free = fault.of === 'database' ? fill(lane.disk) : instances[fault.of].fillDisk()
      return async () => {
        free()
        // It stops where it cannot write its log; an operator starts it again.
        if (fault.of === 'database') await lane.start()
      }
    }
  }
}
