import type { App } from '#src/server/types.ts'
import type { StaffNamespace } from './namespaces.ts'
import { findStaffChatsById } from './staff-chats.ts'

const gatherMs = 50
/** Where there is much to tell, the question takes at most this share of the time: messages come first. */
const share = 0.2

/** Tells the consoles what became of chats: one question to the database for all that happened in a moment. */
export function createStaffNews(app: App, staff: StaffNamespace, isOnline: (id: number) => boolean) {
  const due = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  async function tellAll() {
    const ids = [...due]
    due.clear()
    if (staff.sockets.size === 0) return
    for (const chat of await findStaffChatsById(app.db, ids, isOnline)) staff.emit('staff:chat', chat)
  }

  function tellIn(delay: number) {
    timer = setTimeout(() => {
      const begun = performance.now()
      tellAll()
        .catch((error: unknown) => app.log.warn({ err: error }, 'the consoles were not told of a chat'))
        .finally(() => {
          timer = undefined
          if (due.size > 0 && !isOver) tellIn(Math.max(gatherMs, (performance.now() - begun) * (1 / share - 1)))
        })
    }, delay)
  }

  app.addHook('preClose', async () => {
    isOver = true
    clearTimeout(timer)
  })

  return {
    tell(id: number) {
      due.add(id)
      if (timer === undefined && !isOver) tellIn(gatherMs)
    },
  }
}

export type StaffNews = ReturnType<typeof createStaffNews>
