import { EventEmitter } from 'node:events'
import type { Availability } from '#src/lib/availability.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { alone } from '../cluster/cluster.ts'

type EventMap = {
  availability: [Availability]
  changed: [string]
  sessionEnded: [string]
  signedOff: [number]
  outdated: [string]
}

/**
 * The event bus of the application, over all instances: a service publishes once after its commit; caches, live stream and
 * sockets subscribe.
 */
export function createEvents(liveAreas: readonly string[] = [], cluster: Pick<Cluster, 'send' | 'on' | 'onGap'> = alone) {
  const emitter = new EventEmitter<EventMap>()
  emitter.setMaxListeners(50)
  cluster.on('changed', (area) => {
    const known = liveAreas.find((one) => one === area)
    if (known) emitter.emit('changed', known)
  })
  cluster.on('sessionEnded', (hash) => void emitter.emit('sessionEnded', String(hash)))
  cluster.on('outdated', (what) => void emitter.emit('outdated', String(what)))
  // Messages may be lost, so treat all areas as changed.
  cluster.onGap(() => {
    for (const area of liveAreas) emitter.emit('changed', area)
  })

  return {
    /** Areas whose changes are published. */
    liveAreas,
    changed: (area: string) => {
      emitter.emit('changed', area)
      cluster.send('changed', area)
    },
    onChanged: (listener: (area: string) => void) => {
      emitter.on('changed', listener)
      return () => {
        emitter.off('changed', listener)
      }
    },
    /** Each instance computes it by itself: it is not sent to the others. */
    availability: (availability: Availability) => {
      emitter.emit('availability', availability)
    },
    onAvailability: (listener: (availability: Availability) => void) => {
      emitter.on('availability', listener)
      return () => {
        emitter.off('availability', listener)
      }
    },
    /** A session ended (its hash): open connections of it are closed. */
    sessionEnded: (sessionHash: string) => {
      emitter.emit('sessionEnded', sessionHash)
      cluster.send('sessionEnded', sessionHash)
    },
    onSessionEnded: (listener: (sessionHash: string) => void) => {
      emitter.on('sessionEnded', listener)
    },
    /** A user signed out, or was signed out, in some browser; an expired session does not count. */
    signedOff: (userId: number) => {
      emitter.emit('signedOff', userId)
    },
    /** Called on the instance where it happened, and only there. */
    onSignedOff: (listener: (userId: number) => void) => {
      emitter.on('signedOff', listener)
    },
    /** The value with this name in the memory of each instance is outdated. */
    outdated: (what: string) => {
      emitter.emit('outdated', what)
      cluster.send('outdated', what)
    },
    onOutdated: (what: string, listener: () => void) => {
      emitter.on('outdated', (name) => {
        if (name === what) listener()
      })
    },
  }
}

export type Events = ReturnType<typeof createEvents>
