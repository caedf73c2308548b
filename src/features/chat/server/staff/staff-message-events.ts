import { staffInputs } from '../../contract.ts'
import { appendNote, appendStaffMessage } from '../messages/append.ts'
import { moveToContinuation } from '../messages/continuation.ts'
import { chatRoom } from '../namespaces.ts'
import type { StaffSocket } from '../namespaces.ts'
import { answering } from '../refusal.ts'
import { findChat, markReadByStaff, toStaffMessage, toVisitorMessage } from '../service.ts'
import type { StaffCaller } from './staff-caller.ts'
import type { StaffDesk } from './staff-desk.ts'
import { userRoom } from './technicians.ts'

/** What is said in a chat: messages, notes, that somebody types, how far was read. */
export function onMessageEvents(socket: StaffSocket, { technician, own }: StaffCaller, desk: StaffDesk) {
  const { app, staff, visitors, isRetold, share } = desk
  const { db } = app
  const { userId } = socket.data

  socket.on(
    'staff:send-message',
    answering(
      'staff:send-message',
      staffInputs['staff:send-message'],
      async ({ id, ...sent }) => {
        const { chat, message, isNew, continued } = await appendStaffMessage(db, id, await technician(), sent)
        if (continued?.isFirst) {
          moveToContinuation(visitors, staff, continued.from, chat)
          await share(continued.from.id)
        }
        if (isNew || isRetold) {
          visitors.in(chatRoom(chat.id)).emit('chat:new-message', toVisitorMessage(message, chat.key))
          socket.broadcast.emit('staff:new-message', toStaffMessage(message))
          await share(chat.id)
        }
        return { message: toStaffMessage(message) }
      },
      { onDone: (milliseconds) => app.metrics.messageTook('staff', milliseconds) },
    ),
  )

  socket.on(
    'staff:note',
    answering('staff:note', staffInputs['staff:note'], async ({ id, ...sent }) => {
      const { chat, message, isNew, continued } = await appendNote(db, id, await technician(), sent)
      if (continued?.isFirst) {
        moveToContinuation(visitors, staff, continued.from, chat)
        await Promise.all([share(continued.from.id), share(chat.id)])
      }
      if (isNew || isRetold) socket.broadcast.emit('staff:new-message', toStaffMessage(message))
      return { message: toStaffMessage(message) }
    }),
  )

  socket.on(
    'staff:typing',
    answering('staff:typing', staffInputs['staff:typing'], async ({ id }) => {
      const { displayName } = await technician()
      await own(id)
      visitors.in(chatRoom(id)).emit('chat:typing', { user_name: displayName })
      socket.to(chatRoom(id)).except(userRoom(userId)).emit('staff:answering', { id, user_name: displayName })
    }),
  )

  socket.on(
    'staff:read',
    answering('staff:read', staffInputs['staff:read'], async ({ id, seq }) => {
      await technician()
      await own(id)
      await markReadByStaff(db, id, seq)
      visitors.in(chatRoom(id)).emit('chat:read', { seq: (await findChat(db, id)).staffReadSeq })
      await share(id)
    }),
  )
}
