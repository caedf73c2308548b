import type { Socket } from 'socket.io'
import type { App } from '#src/server/types.ts'
import type { UpdateAlert } from '../contract.ts'
import { readMaintenance, findUpdateAlert } from './service.ts'

const watchMs = 15_000

/**
 * `update:alert` on every connected socket, at each change and at each arrival; visitors get it only while it is public.
 * What another process announced, and a window that begins or ends, is noticed within seconds.
 */
export function broadcastUpdates(app: App) {
  const { content, db, events } = app
  const [visitors, staff] = [app.realtime.io.of('/'), app.realtime.io.of('/staff')]
  let current: UpdateAlert | null = null
  let told: string | undefined
  let visitorsTold: string | null = null
  let turn = Promise.resolve()

  const read = async () => {
    const [alert, windows] = await Promise.all([findUpdateAlert(db), readMaintenance({ content, db })])
    const before = told
    current = alert
    told = JSON.stringify([alert, windows])
    return before !== undefined && before !== told
  }
  const forVisitors = () => (current?.public ? current : null)
  const tell = async () => {
    await read()
    // Each instance hears of the change and tells its own.
    staff.local.emit('update:alert', current)
    const shown = forVisitors()
    const version = shown && `${shown.id_update}/${shown.version}`
    if (version !== visitorsTold) visitors.local.emit('update:alert', shown)
    visitorsTold = version
  }
  const watch = async () => {
    if (await read()) events.changed('updates')
  }
  /** One after the other: what was set last is told last. */
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch((error: unknown) => app.log.warn({ err: error }, 'the update alert was not told'))
  }

  events.onChanged((area) => {
    if (area === 'updates') inTurn(tell)
  })
  const greet = (socket: Socket, find: () => UpdateAlert | null) => {
    void turn.then(() => {
      const alert = find()
      if (alert) socket.emit('update:alert', alert)
    })
  }
  staff.on('connection', (socket) => greet(socket, () => current))
  visitors.on('connection', (socket) => greet(socket, forVisitors))
  inTurn(watch)
  const watching = setInterval(() => inTurn(watch), watchMs)
  app.addHook('preClose', async () => {
    clearInterval(watching)
    await turn
  })
}
