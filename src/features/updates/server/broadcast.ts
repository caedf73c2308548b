import type { Socket } from 'socket.io'
import type { App } from '#src/server/types.ts'
import type { UpdateAlert } from '../contract.ts'
import { readMaintenance, findUpdateAlert } from './service.ts'

const watchMs = 15_000

/**
 * Emits `update:alert` to every socket, on each change and connection; visitors get it only while it is public. Announcements
 * of other processes, and windows that begin or end, are detected within seconds.
 */
export function broadcastUpdates(app: App) {
  const { db, events } = app
  const [visitors, staff] = [app.realtime.io.of('/'), app.realtime.io.of('/staff')]
  let current: UpdateAlert | null = null
  let lastEmitted: string | undefined
  let lastEmittedToVisitors: string | null = null
  let pending = Promise.resolve()

  const read = async () => {
    const [alert, windows] = await Promise.all([findUpdateAlert(db), readMaintenance(app)])
    const before = lastEmitted
    current = alert
    lastEmitted = JSON.stringify([alert, windows])
    return before !== undefined && before !== lastEmitted
  }
  const forVisitors = () => (current?.public ? current : null)
  const emitAlert = async () => {
    await read()
    // Every instance receives the event and emits to its own sockets.
    staff.local.emit('update:alert', current)
    const shown = forVisitors()
    const version = shown && `${shown.id_update}/${shown.version}`
    if (version !== lastEmittedToVisitors) visitors.local.emit('update:alert', shown)
    lastEmittedToVisitors = version
  }
  const watch = async () => {
    if (await read()) events.changed('updates')
  }
  /** Serializes the emits, so that the last alert is emitted last. */
  const enqueue = (work: () => Promise<void>) => {
    pending = pending.then(work).catch((error: unknown) => app.log.warn({ err: error }, 'the update alert was not emitted'))
  }

  events.onChanged((area) => {
    if (area === 'updates') enqueue(emitAlert)
  })
  const sendCurrent = (socket: Socket, find: () => UpdateAlert | null) => {
    void pending.then(() => {
      const alert = find()
      if (alert) socket.emit('update:alert', alert)
    })
  }
  staff.on('connection', (socket) => sendCurrent(socket, () => current))
  visitors.on('connection', (socket) => sendCurrent(socket, forVisitors))
  enqueue(watch)
  const watching = setInterval(() => enqueue(watch), watchMs)
  app.addHook('preClose', async () => {
    clearInterval(watching)
    await pending
  })
}
