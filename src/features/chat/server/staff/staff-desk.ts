import type { App } from '#src/server/types.ts'
import { isVisitorThere } from '../namespaces.ts'
import type { StaffNamespace, VisitorNamespace } from '../namespaces.ts'
import { findStaffPresence } from './presence.ts'
import type { WaitingLine } from '../visitor/waiting-line.ts'
import { findStaffChat } from './staff-chats.ts'

/** What the events of all consoles share: the two sides, and what every console is told. */
export function createStaffDesk(app: App, staff: StaffNamespace, visitors: VisitorNamespace, queue: WaitingLine) {
  const { db } = app
  const isOnline = (id: number) => isVisitorThere(visitors, id)
  const seen = (id: number) => findStaffChat(db, id, isOnline(id))

  async function tellPresence() {
    staff.emit('staff:presence', await findStaffPresence(db, staff))
  }

  /** Tells every console what became of a chat, and answers it. */
  async function share(id: number) {
    const chat = await seen(id)
    staff.emit('staff:chat', chat)
    return chat
  }

  /** The same, where it also changed how many chats a colleague has. */
  async function shareAll(id: number) {
    const chat = await share(id)
    await tellPresence()
    queue.tell()
    return chat
  }

  return {
    app,
    staff,
    visitors,
    // Sent again, it may come from an instance that died between its commit and its word to the others.
    isRetold: !app.cluster.isAlone,
    isOnline,
    seen,
    tellPresence,
    share,
    shareAll,
  }
}

export type StaffDesk = ReturnType<typeof createStaffDesk>
