import { staffInputs } from '../../contract.ts'
import { chatRoom } from '../namespaces.ts'
import type { StaffSocket } from '../namespaces.ts'
import { findStaffPresence } from './presence.ts'
import { answering } from '../refusal.ts'
import { findOlderStaffMessages, findStaffMessages } from '../service.ts'
import type { StaffCaller } from './staff-caller.ts'
import { findStaffChats } from './staff-chats.ts'
import type { StaffDesk } from './staff-desk.ts'
import { availableRoom, findOwnAvailability, setAvailable } from './technicians.ts'

const listsPerPerson = { points: 60, seconds: 10 }

/** What a console shows: who is available, the list of chats, one of them opened. */
export function onListEvents(socket: StaffSocket, { actor }: StaffCaller, { app, staff, ...desk }: StaffDesk) {
  const { db, limits } = app
  const { userId } = socket.data

  socket.on(
    'staff:availability',
    answering('staff:availability', staffInputs['staff:availability'], async ({ available }) => {
      await actor('read_write')
      const own = await setAvailable(db, staff, userId, available)
      await desk.tellPresence()
      return own
    }),
  )

  socket.on(
    'staff:chats',
    answering('staff:chats', staffInputs['staff:chats'], async (options) => {
      await actor('read_only')
      await limits.take('chat-list', String(userId), listsPerPerson)
      const found = await findStaffChats(db, options, desk.isOnline)
      const own = socket.rooms.has(availableRoom) ? await findOwnAvailability(db, userId) : { available: false, until: null }
      return { ...found, ...own, users: await findStaffPresence(db, staff) }
    }),
  )

  socket.on(
    'staff:open',
    answering('staff:open', staffInputs['staff:open'], async ({ id, after_seq: afterSeq, before_id: beforeId }) => {
      await actor('read_only')
      await socket.join(chatRoom(id))
      const page = afterSeq === undefined ? findOlderStaffMessages(db, id, beforeId) : findStaffMessages(db, id, afterSeq)
      return { chat: await desk.seen(id), ...(await page) }
    }),
  )
}
