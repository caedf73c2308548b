import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Availability } from '#src/lib/availability.ts'
import type { Routes } from '../types.ts'
import { createChangeLog, removeChangeLog, storeChangeLog, takeChangeLog } from './change-log.ts'

const heartbeatMs = 25_000
/** Streams written to per turn of the event loop: 18,600 at once blocked it for 440 ms. */
const followersAtOnce = 500
/**
 * Event ids are timestamps of each instance's clock: a page that moves to another instance may get an event twice, but never
 * misses one.
 */
const clocksApartMs = 5_000
const returnMs = { least: 2_000, spread: 3_000, each: 1 }
/**
 * Delay before a page reconnects, in milliseconds. It is random, and longer with more pages: at most a thousand reconnect each
 * second, because refused connections slow the restart down.
 */
export const findReturnMs = (followers: number, random = Math.random()) =>
  returnMs.least + Math.floor(random * Math.max(returnMs.spread, followers * returnMs.each))
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
  const { dataDir } = app.config
  const log = createChangeLog(app.events.liveAreas, await takeChangeLog(dataDir, app.db))
  let isStored = false

  app.events.onChanged((area) => {
    send(frame(log.add(area), area))
    // A job that ends after the last request may still publish.
    if (isStored) removeChangeLog(dataDir)
  })
  let availability: Availability | undefined
  const stopAvailability = app.events.onAvailability((found) => {
    availability = found
    send(availabilityFrame(found))
  })
  const heartbeat = setInterval(() => send(': alive\n\n'), heartbeatMs)
  app.addHook('preClose', async () => {
    clearInterval(heartbeat)
    stopAvailability()
    const followers = listeners.size
    for (const listener of listeners) listener.end(`retry: ${findReturnMs(followers)}\n\n`)
    listeners.clear()
  })
  app.addHook('onClose', async () => {
    isStored = true
    await storeChangeLog(dataDir, app.db, log.read(), app.plannedChanges.secondsLeft()).catch((error: unknown) =>
      app.log.warn({ err: error }, 'the latest changes were not stored: after the next start open pages load again'),
    )
  })

  const schema = { summary: 'Server-sent events: which area of the public site changed', querystring }
  app.get('/', { config: { access: 'stream' }, schema }, (request, reply) => {
    const lastEvent = request.headers['last-event-id']
    const isExact = app.cluster.isAlone || log.has(Number(lastEvent))
    const afterId = Number(lastEvent ?? request.query.after) - (isExact ? 0 : clocksApartMs)
    const headers = reply.getHeaders()
    reply.hijack()
    const stream = reply.raw
    stream.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    stream.write(`retry: ${findReturnMs(listeners.size)}\n\n`)
    const { version } = app.siteBuild
    if (version) stream.write(`event: hello\ndata: ${JSON.stringify({ build: version })}\n\n`)
    // The page may have been rendered, or cached, before the last change.
    if (availability) stream.write(availabilityFrame(availability))
    for (const { id, area } of log.missedSince(afterId)) stream.write(frame(id, area))
    listeners.add(stream)
    request.raw.once('close', () => listeners.delete(stream))
  })
}

/** Without an id: the event holds the whole state, so none has to be replayed. */
const availabilityFrame = (found: Availability) => `event: availability\ndata: ${JSON.stringify(found)}\n\n`

function frame(id: number, area: string) {
  return `id: ${id}\nevent: changed\ndata: ${JSON.stringify({ area })}\n\n`
}
