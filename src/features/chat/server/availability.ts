import { isOpen, nextOpening } from '#src/lib/business-hours.ts'
import type { Availability } from '#src/server/live/events.ts'
import type { App } from '#src/server/types.ts'
import { readHomeMessages } from '../../home/server/service.ts'
import type { StaffNamespace } from './namespaces.ts'
import { findAvailableTechnicians } from './staff/technicians.ts'
import { findChatHours } from './supervision/settings.ts'

/** Twice within the second in which every open page is to know. */
const tickMs = 400

/** Whether the chat is open: by who is there, the hours with their holidays, and the urgent banner. */
export async function findChatState(app: App, staff: StaffNamespace, at = new Date()): Promise<Availability> {
  const [hours, messages] = await Promise.all([findChatHours(app.db), readHomeMessages(app)])
  const count = findAvailableTechnicians(staff).length
  const isWithinHours = isOpen(hours, at)
  return {
    state: count > 0 ? 'open' : isWithinHours ? 'busy' : 'closed',
    emergency: messages.length > 0,
    user_count: count,
    next_opening: isWithinHours ? null : (nextOpening(hours, at)?.toISOString() ?? null),
  }
}

/** Publishes each change, whatever caused it: a technician, the clock, a setting, the banner, another instance. */
export function watchAvailability(app: App, staff: StaffNamespace) {
  let last = ''
  let isRunning = false
  let hasFailed = false
  const look = async () => {
    const found = await findChatState(app, staff)
    hasFailed = false
    const text = JSON.stringify(found)
    if (text === last) return
    last = text
    app.events.availability(found)
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    look()
      .catch((error: unknown) => {
        if (!hasFailed) app.log.warn({ err: error }, 'whether the chat is open could not be found out')
        hasFailed = true
      })
      .finally(() => {
        isRunning = false
      })
  }, tickMs)
  app.addHook('preClose', async () => clearInterval(timer))
}
