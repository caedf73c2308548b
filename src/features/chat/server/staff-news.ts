import type { App } from '#src/server/types.ts'
import { onRemoteChange, remoteSockets } from '#src/server/cluster/remote-sockets.ts'
import type { StaffNamespace, VisitorNamespace } from './namespaces.ts'
import { chatOfRoom, isVisitorThere } from './namespaces.ts'
import { findStaffChatsById } from './staff-chats.ts'

const gatherMs = 50
/** Where there is much to tell, the question takes at most this share of the time: messages come first. */
const share = 0.2

/** Tells the consoles what became of chats: one question to the database for all that happened in a moment. */
export function createStaffNews(app: App, staff: StaffNamespace, visitors: VisitorNamespace) {
  const due = new Set<number>()
  const isOnline = (id: number) => isVisitorThere(visitors, id)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  async function tellAll() {
    const ids = [...due]
    due.clear()
    if (ids.length === 0 || (staff.sockets.size === 0 && remoteSockets(staff).length === 0)) return
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

  // The visitors of an instance that died are there no more; each instance tells its own consoles.
  onRemoteChange(visitors, (gone) => {
    const ids = gone.flatMap(({ rooms }) => [...rooms].flatMap((room) => chatOfRoom(room) ?? []))
    if (ids.length === 0 || staff.sockets.size === 0) return
    findStaffChatsById(app.db, ids, isOnline).then(
      (found) => {
        for (const chat of found) staff.local.emit('staff:chat', chat)
      },
      (error: unknown) => app.log.warn({ err: error }, 'the consoles were not told who left'),
    )
  })
  app.addHook('preClose', async () => {
    isOver = true
    clearTimeout(timer)
    // The consoles of the other instances stay, and are told that the visitors of this one left.
    if (app.cluster.isAlone) return
    await tellAll().catch((error: unknown) => app.log.warn({ err: error }, 'the consoles were not told who left'))
  })

  return {
    tell(id: number) {
      due.add(id)
      if (timer === undefined && !isOver) tellIn(gatherMs)
    },
  }
}

export type StaffNews = ReturnType<typeof createStaffNews>
