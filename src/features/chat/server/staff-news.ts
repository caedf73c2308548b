import type { App } from '#src/server/types.ts'
import type { StaffNamespace } from './namespaces.ts'
import { findStaffChatsById } from './staff-chats.ts'

const gatherMs = 50

/** Tells the consoles what became of chats: one question to the database for all that happened in a moment. */
export function createStaffNews(app: App, staff: StaffNamespace, isOnline: (id: number) => boolean) {
  const due = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function tellAll() {
    const ids = [...due]
    due.clear()
    if (staff.sockets.size === 0) return
    for (const chat of await findStaffChatsById(app.db, ids, isOnline)) staff.emit('staff:chat', chat)
  }

  app.addHook('preClose', async () => clearTimeout(timer))

  return {
    tell(id: number) {
      due.add(id)
      timer ??= setTimeout(() => {
        timer = undefined
        tellAll().catch((error: unknown) => app.log.warn({ err: error }, 'the consoles were not told of a chat'))
      }, gatherMs)
    },
  }
}

export type StaffNews = ReturnType<typeof createStaffNews>
