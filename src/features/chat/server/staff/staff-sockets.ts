import type { App } from '#src/server/types.ts'
import { readPrivateCookie } from '#src/server/http/private-cookies.ts'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { StaffNamespace, StaffSocket, VisitorNamespace } from '../namespaces.ts'
import type { WaitingLine } from '../visitor/waiting-line.ts'
import { ChatRefusal } from '../refusal.ts'
import { allowed, callerOf } from './staff-caller.ts'
import { onClaimEvents } from './staff-claim-events.ts'
import { createStaffDesk } from './staff-desk.ts'
import { onListEvents } from './staff-list-events.ts'
import { onMessageEvents } from './staff-message-events.ts'
import { availableRoom, findOwnAvailability, userRoom } from './technicians.ts'

/** The technicians' side, on `/staff`: a session and the right are asked for at the door and at each event. */
export function serveStaff(app: App, staff: StaffNamespace, visitors: VisitorNamespace, queue: WaitingLine) {
  const desk = createStaffDesk(app, staff, visitors, queue)
  const { tellPresence, isOnline } = desk

  staff.use((socket, next) => {
    if (!app.realtime.isOwnPage(socket)) return next(new Error('forbidden'))
    const sessionId = readPrivateCookie(app.config, app.parseCookie(socket.request.headers.cookie ?? ''), sessionCookie) ?? ''
    allowed(app, sessionId, 'read_only').then(
      (actor) => {
        const canAnswer = hasRight(actor.rights, 'chat', 'read_write')
        socket.data = { userId: actor.userId, userName: actor.displayName, sessionHash: actor.sessionHash, sessionId, canAnswer }
        next()
      },
      (error: unknown) => next(error instanceof ChatRefusal ? new Error(error.code) : new Error('broken')),
    )
  })

  app.events.onSessionEnded((hash) => {
    for (const socket of staff.sockets.values()) if (socket.data.sessionHash === hash) socket.disconnect(true)
  })

  staff.on('connection', (socket: StaffSocket) => {
    enter(socket).catch((error: unknown) => app.log.warn({ err: error }, 'a technician’s arrival was not told'))
    socket.on('disconnect', () => {
      tellPresence().catch((error: unknown) => app.log.warn({ err: error }, 'a technician’s absence was not told'))
    })
    const caller = callerOf(app, socket)
    onListEvents(socket, caller, desk)
    onClaimEvents(socket, caller, desk)
    onMessageEvents(socket, caller, desk)
  })

  async function enter(socket: StaffSocket) {
    const { userId } = socket.data
    await socket.join(userRoom(userId))
    if (socket.data.canAnswer && (await findOwnAvailability(app.db, userId)).available) await socket.join(availableRoom)
    await tellPresence()
  }

  return { tellPresence, isOnline }
}
