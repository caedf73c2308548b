import { z } from 'zod'
import { countInRoom, mirrorSockets } from '#src/server/cluster/remote-sockets.ts'
import type { Routes } from '#src/server/types.ts'
import { registerCors } from '#src/server/http/cors.ts'
import { chatAvailability, chatKeyInput } from '../contract.ts'
import { findChatOrigins } from './visitor/embed-routes.ts'
import { serveAfterwards } from './visitor/afterwards-routes.ts'
import { findChatState, watchAvailability } from './availability.ts'
import { serveVisitorFiles } from './messages/file-routes.ts'
import { known } from './known.ts'
import type { StaffNamespace, VisitorNamespace } from './namespaces.ts'
import { chatRoom, describeColleague } from './namespaces.ts'
import { countWaitingChats, findChatByKey } from './service.ts'
import { findStaffChat } from './staff/staff-chats.ts'
import { createStaffNews } from './staff/staff-news.ts'
import { watchUnanswered } from './staff/escalation.ts'
import { watchColleagues, watchRights } from './staff/presence.ts'
import { watchWaitingLine } from './visitor/waiting-line.ts'
import { chatSettingsName, forgetChatSettings } from './supervision/settings.ts'
import { findAvailability, watchClosing } from './staff/technicians.ts'
import { serveStaff } from './staff/staff-sockets.ts'
import { serveVisitors } from './visitor/visitor-sockets.ts'

const nothing = { 204: z.null() }

/** `/public_api/chat` and the sockets of both sides (spec.md 7, contract.md 5). */
export const chatRoutes: Routes = async (app) => {
  registerCors(app, () => findChatOrigins(app))
  const visitors: VisitorNamespace = app.realtime.io.of('/')
  const staff: StaffNamespace = app.realtime.io.of('/staff')
  mirrorSockets(app.cluster, visitors, () => null)
  mirrorSockets(app.cluster, staff, describeColleague)
  app.events.onOutdated(chatSettingsName, () => forgetChatSettings(app.db))
  const queue = watchWaitingLine(app, visitors)
  const news = createStaffNews(app, staff, visitors)
  serveVisitors(app, { visitors, staff, queue, news })
  const { tellPresence, isOnline } = serveStaff(app, staff, visitors, queue)
  watchClosing(app, staff, tellPresence)
  watchRights(app, staff, tellPresence)
  watchColleagues(app, staff)
  watchUnanswered(app, staff)
  watchAvailability(app, staff)
  app.metrics.gauge('guichet_chats_waiting', 'Chats nobody has taken', () => countWaitingChats(app.db))

  app.get('/available-users', { config: { access: 'public' }, schema: { response: { 200: chatAvailability } } }, async () => {
    const [availability, { state, emergency, next_opening }] = await Promise.all([
      findAvailability(app.db, staff),
      findChatState(app, staff),
    ])
    return { ...availability, state, emergency, next_opening }
  })

  const leaving = {
    config: { access: 'public', protection: 'beacon' },
    schema: { body: chatKeyInput, response: nothing },
  } as const
  app.post('/client-leave', leaving, async (request, reply) => {
    const chat = await known(findChatByKey(app.db, request.body.id_chat))
    if (countInRoom(visitors, chatRoom(chat.id)) <= 1) staff.emit('staff:chat', await findStaffChat(app.db, chat.id, false))
    return reply.code(204).send(null)
  })

  serveAfterwards(app, staff, isOnline)
  serveVisitorFiles(app, { visitors, staff, queue, news })
}
