import { EventEmitter } from 'node:events'
import type { Cluster } from '../cluster/cluster.ts'
import { alone } from '../cluster/cluster.ts'

/** Whether the chat is open, with one source for every place that shows it. */
export type Availability = {
  /** `busy`: the hours run and nobody is available. */
  state: 'open' | 'busy' | 'closed'
  /** The urgent banner is on. */
  emergency: boolean
  user_count: number
  /** Null while the hours run. */
  next_opening: string | null
}

type EventMap = {
  availability: [Availability]
  changed: [string]
  sessionEnded: [string]
  outdated: [string]
}

/**
 * One bus for the application, all its instances together: a service publishes once after its commit; cache, live
 * stream and sockets hang on it.
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
  // Whatever changed meanwhile was not heard: all of it may have.
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
    /** Each instance finds it out by itself: it is not sent to the others. */
    availability: (availability: Availability) => {
      emitter.emit('availability', availability)
    },
    onAvailability: (listener: (availability: Availability) => void) => {
      emitter.on('availability', listener)
      return () => {
        emitter.off('availability', listener)
      }
    },
    /** A session is over (its hash): whoever holds a connection open for it closes it. */
    sessionEnded: (sessionHash: string) => {
      emitter.emit('sessionEnded', sessionHash)
      cluster.send('sessionEnded', sessionHash)
    },
    onSessionEnded: (listener: (sessionHash: string) => void) => {
      emitter.on('sessionEnded', listener)
    },
    /** What an instance keeps in memory under this name is to be read again. */
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
