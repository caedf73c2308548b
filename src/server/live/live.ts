import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Availability } from '#src/lib/availability.ts'
import type { Routes } from '../types.ts'

const heartbeatMs = 25_000
const returnMs = { least: 2_000, spread: 3_000 }
const recentMax = 200
/** Streams written to per turn of the event loop: 18,600 at once blocked it for 440 ms. */
const followersAtOnce = 500
/**
 * Event ids are timestamps of each instance's clock: a page that moves to another instance may get an event twice, but never
 * misses one.
 */
const clocksApartMs = 5_000
/** When the page was rendered, for changes before its stream opened; on a reconnect the browser sends `Last-Event-ID`. */
const querystring = z.strictObject({ after: z.coerce.number().int().nonnegative().optional() })

/** `GET /api/live`: an event stream with the areas that change. */
export const liveRoutes: Routes = async (app) => {
  const listeners = new Set<ServerResponse>()
  let sent = Promise.resolve()
  /** Writes to every stream that is open now, after the earlier events. */
  const send = (text: string) => {
    const followers = [...listeners]
    sent = sent.then(async () => {
      for (const [at, listener] of followers.entries()) {
        if (at > 0 && at % followersAtOnce === 0) await setImmediate()
        if (listeners.has(listener)) listener.write(text)
      }
    })
  }
  const recent: { id: number; area: string }[] = []
  // Ids are timestamps: they increase over a restart, and a page can request the changes since it was rendered.
  let lastId = Date.now()
  /** Every change after this id is still in `recent`. */
  let completeSince = lastId

  const stopListening = app.events.onChanged((area) => {
    lastId = Math.max(lastId + 1, Date.now())
    recent.push({ id: lastId, area })
    if (recent.length > recentMax) completeSince = recent.shift()?.id ?? lastId
    send(frame(lastId, area))
  })
  let availability: Availability | undefined
  const stopAvailability = app.events.onAvailability((found) => {
    availability = found
    send(availabilityFrame(found))
  })
  const heartbeat = setInterval(() => send(': alive\n\n'), heartbeatMs)
  app.addHook('preClose', async () => {
    clearInterval(heartbeat)
    stopListening()
    stopAvailability()
    for (const listener of listeners) listener.end()
    listeners.clear()
  })

  const schema = { summary: 'Server-sent events: which area of the public site changed', querystring }
  app.get('/', { config: { access: 'stream' }, schema }, (request, reply) => {
    const afterId = Number(request.headers['last-event-id'] ?? request.query.after) - (app.cluster.isAlone ? 0 : clocksApartMs)
    const headers = reply.getHeaders()
    reply.hijack()
    const stream = reply.raw
    stream.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    // Random, so that pages do not all reconnect to a restarted server at once.
    stream.write(`retry: ${returnMs.least + Math.floor(Math.random() * returnMs.spread)}\n\n`)
    const { version } = app.siteBuild
    if (version) stream.write(`event: hello\ndata: ${JSON.stringify({ build: version })}\n\n`)
    // The page may have been rendered, or cached, before the last change.
    if (availability) stream.write(availabilityFrame(availability))
    for (const missed of missedSince(afterId, { recent, completeSince, lastId, liveAreas: app.events.liveAreas }))
      stream.write(frame(missed.id, missed.area))
    listeners.add(stream)
    request.raw.once('close', () => listeners.delete(stream))
  })
}

type ChangeLog = { recent: { id: number; area: string }[]; completeSince: number; lastId: number; liveAreas: readonly string[] }

/** Areas changed since the client's last event, each once; all areas where that was too long ago. */
function missedSince(afterId: number, { recent, completeSince, lastId, liveAreas }: ChangeLog) {
  if (!Number.isSafeInteger(afterId) || afterId <= 0 || afterId >= lastId) return []
  if (afterId < completeSince) return liveAreas.map((area) => ({ id: lastId, area }))
  const newest = new Map<string, number>()
  for (const { id, area } of recent) if (id > afterId) newest.set(area, id)
  return [...newest].map(([area, id]) => ({ id, area })).toSorted((one, other) => one.id - other.id)
}

/** Without an id: the event holds the whole state, so none has to be replayed. */
const availabilityFrame = (found: Availability) => `event: availability\ndata: ${JSON.stringify(found)}\n\n`

function frame(id: number, area: string) {
  return `id: ${id}\nevent: changed\ndata: ${JSON.stringify({ area })}\n\n`
}
