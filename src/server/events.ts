import { EventEmitter } from 'node:events'

/** What visitors' pages are told about (contract.md 6). */
export const liveAreas = ['networks', 'home', 'notes', 'jobs', 'employees', 'updates'] as const
export type LiveArea = (typeof liveAreas)[number]

/** One bus an application: a service publishes once after its commit; cache, live stream and sockets hang on it. */
export function createEvents() {
  const emitter = new EventEmitter<{ changed: [LiveArea]; sessionEnded: [string] }>()
  emitter.setMaxListeners(50)
  return {
    changed: (area: LiveArea) => {
      emitter.emit('changed', area)
    },
    onChanged: (listener: (area: LiveArea) => void) => {
      emitter.on('changed', listener)
      return () => {
        emitter.off('changed', listener)
      }
    },
    /** A session is over (its hash): whoever holds a connection open for it closes it. */
    sessionEnded: (sessionHash: string) => {
      emitter.emit('sessionEnded', sessionHash)
    },
    onSessionEnded: (listener: (sessionHash: string) => void) => {
      emitter.on('sessionEnded', listener)
    },
  }
}

export type Events = ReturnType<typeof createEvents>
