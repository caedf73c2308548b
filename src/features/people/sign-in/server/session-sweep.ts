import type { App } from '#src/server/types.ts'
import { purgeSessions, tellEnded } from './sessions.ts'

const everyMs = 60_000

/** Ends expired sessions without waiting for a request: their open sockets must close too. */
export function sweepSessions(app: App) {
  const timer = setInterval(() => {
    purgeSessions(app.db)
      .then((ended) => tellEnded(app.events, ended))
      .catch((error: unknown) => app.log.warn({ err: error }, 'sessions were not swept'))
  }, everyMs)
  timer.unref()
  app.addHook('preClose', async () => clearInterval(timer))
}
