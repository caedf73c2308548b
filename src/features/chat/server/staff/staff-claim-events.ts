import { countInRoom } from '#src/server/cluster/remote-sockets.ts'
import { hasRight } from '#src/lib/rights.ts'
import { staffInputs } from '../../contract.ts'
import { claimChat, transferChat } from './claims.ts'
import { canMailTranscript } from '../messages/transcript.ts'
import { chatRoom } from '../namespaces.ts'
import type { StaffSocket } from '../namespaces.ts'
import { findStaffPresence } from './presence.ts'
import { answering, ChatRefusal } from '../refusal.ts'
import { closeChat } from '../service.ts'
import type { StaffCaller } from './staff-caller.ts'
import type { StaffDesk } from './staff-desk.ts'
import { userRoom } from './technicians.ts'

/** Whose a chat is: claimed, given to a colleague, closed. */
export function onClaimEvents(socket: StaffSocket, { technician, own }: StaffCaller, desk: StaffDesk) {
  const { app, staff, visitors, shareAll } = desk
  const { db } = app
  const { userId } = socket.data

  socket.on(
    'staff:claim',
    answering('staff:claim', staffInputs['staff:claim'], async ({ id }) => {
      await technician()
      const isThere = (one: number) => countInRoom(staff, userRoom(one)) > 0
      await claimChat(db, id, userId, isThere)
      return { chat: await shareAll(id) }
    }),
  )

  socket.on(
    'staff:transfer',
    answering('staff:transfer', staffInputs['staff:transfer'], async ({ id, id_user: to }) => {
      const person = await technician()
      const present = await findStaffPresence(db, staff)
      if (!present.some((one) => one.id_user === to && one.can_answer))
        throw new ChatRefusal('no_users', 'This person is not there.')
      await transferChat(db, id, { userId, isAdministrator: hasRight(person.rights, 'chat', 'administrator') }, to)
      return { chat: await shareAll(id) }
    }),
  )

  socket.on(
    'staff:close',
    answering('staff:close', staffInputs['staff:close'], async ({ id }) => {
      const person = await technician()
      if (!hasRight(person.rights, 'chat', 'administrator')) await own(id, 'or waiting')
      const closed = await closeChat(db, id)
      if (closed) {
        const transcript = await canMailTranscript(db, closed)
        visitors.in(chatRoom(id)).emit('chat:closed', { id_chat: closed.key, transcript })
      }
      return { chat: await shareAll(id) }
    }),
  )
}
