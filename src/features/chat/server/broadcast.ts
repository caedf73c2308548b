import type { App } from '#src/server/types.ts'
import { mirrorSockets, onRemoteChange, remoteSockets } from '#src/server/cluster/remote-sockets.ts'
import type { ChatOffer, StaffChat, StaffEvents } from '../protocol.ts'
import type { Appended } from './messages.ts'
import type { StaffNamespace, VisitorNamespace } from './namespaces.ts'
import { chatOfRoom, chatRoom, describeConsole, isVisitorOnline } from './namespaces.ts'
import { findStaffPresence, userRoom } from './availability.ts'
import type { ChatRow } from './service.ts'
import { resendRecent } from './resend.ts'
import { toStaffMessage, toVisitorMessage } from './service.ts'
import { findStaffChat, findStaffChatsById } from './staff-chats.ts'
import { endOffer } from './ownership.ts'
import { createWaitingQueue } from './waiting-queue.ts'

const gatherMs = 100
/** Where many chats change, reading them takes at most this part of the time: messages come first. */
const readRatio = 0.2
/** A blocked event loop reads the last message of another instance late. */
const readLateMs = 30_000

export type Broadcast = ReturnType<typeof createBroadcast>
const made = new WeakMap<App['realtime'], Broadcast>()

/** The one way out for what sockets receive without asking: whatever stores a change calls it here after its commit. */
export function broadcastOf(app: App) {
  const broadcast = made.get(app.realtime) ?? createBroadcast(app)
  made.set(app.realtime, broadcast)
  return broadcast
}

function createBroadcast(app: App) {
  const { db, cluster, log } = app
  const visitors: VisitorNamespace = app.realtime.io.of('/')
  const staff: StaffNamespace = app.realtime.io.of('/staff')
  // First: what follows asks for the sockets of the other instances.
  mirrorSockets(cluster, visitors, () => null)
  mirrorSockets(cluster, staff, describeConsole)
  const queue = createWaitingQueue(app, visitors)
  const due = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const isOnline = (id: number) => isVisitorOnline(visitors, id)
  const emitChats = (all: StaffChat[], to: Pick<StaffNamespace, 'emit'> = staff) => {
    for (const chat of all) to.emit('staff:chat', chat)
  }

  async function emitDue() {
    const ids = [...due]
    due.clear()
    if (ids.length === 0 || (staff.sockets.size === 0 && remoteSockets(staff).length === 0)) return
    emitChats(await findStaffChatsById(db, ids, isOnline))
  }

  function emitDueIn(delay: number) {
    timer = setTimeout(() => {
      const begun = performance.now()
      emitDue()
        .catch((error: unknown) => log.warn({ err: error }, 'the consoles did not receive a changed chat'))
        .finally(() => {
          timer = undefined
          if (due.size > 0 && !isOver) emitDueIn(Math.max(gatherMs, (performance.now() - begun) * (1 / readRatio - 1)))
        })
    }, delay)
  }

  // The visitors of an instance that died are gone; each instance notifies its own consoles.
  onRemoteChange(visitors, (gone) => {
    const ids = gone.flatMap(({ rooms }) => [...rooms].flatMap((room) => chatOfRoom(room) ?? []))
    if (ids.length === 0 || staff.sockets.size === 0) return
    findStaffChatsById(db, ids, isOnline).then(
      (found) => emitChats(found, staff.local),
      (error: unknown) => log.warn({ err: error }, 'the consoles did not receive who left'),
    )
  })
  // A dead instance may have stored and acknowledged what it did not broadcast.
  cluster.onGone((_instance, unheardMs) => {
    if (unheardMs === null) return
    resendRecent(db, visitors, staff, unheardMs + readLateMs).catch((error: unknown) =>
      log.warn({ err: error }, 'what an instance that died had stored was not sent again'),
    )
  })
  app.addHook('preClose', async () => {
    isOver = true
    clearTimeout(timer)
    // The consoles of the other instances stay, and show that the visitors of this one left.
    if (cluster.isAlone) return
    await emitDue().catch((error: unknown) => log.warn({ err: error }, 'the consoles did not receive who left'))
  })

  const broadcast = {
    visitors,
    staff,
    isVisitorOnline: isOnline,

    /**
     * A stored message to both sides, except the connection that sent it (`from`). A repeated one may come from an
     * instance that died between its commit and its broadcast: with several instances it is emitted again.
     */
    message({ chat, message, isNew, continued }: Appended, from: string[] = []) {
      if (continued?.isFirst) broadcast.continued(continued.from, chat)
      if (!isNew && cluster.isAlone) return
      staff.except(from).emit('staff:new-message', toStaffMessage(message))
      if (message.internal) return
      visitors.in(chatRoom(chat.id)).except(from).emit('chat:new-message', toVisitorMessage(message, chat.key))
      broadcast.chatSoon(chat.id)
      if (message.seq === 1) queue.notify(chat.id)
    },

    /** A full conversation continues in another: the connections of both sides move along. */
    continued(from: ChatRow, to: { id: number; key: string }) {
      visitors.in(chatRoom(from.id)).socketsJoin(chatRoom(to.id))
      staff.in(chatRoom(from.id)).socketsJoin(chatRoom(to.id))
      broadcast.closed(from, { continued_in: to.key })
      broadcast.chatSoon(to.id)
    },

    /** A conversation was closed, by `from` or by nobody in particular. */
    closed(chat: { id: number; key: string }, more: { continued_in?: string; transcript?: boolean } = {}, from: string[] = []) {
      visitors
        .in(chatRoom(chat.id))
        .except(from)
        .emit('chat:closed', { id_chat: chat.key, ...more })
      endOffer(db, chat.id).then(
        (offer) => offer && broadcast.offerEnded(chat.id, offer, 'withdrawn'),
        (error: unknown) => log.warn({ err: error }, 'the offer of a closed chat was not withdrawn'),
      )
      broadcast.chatSoon(chat.id)
      queue.notify()
    },

    /** A conversation in progress was erased: its visitor sees that it ended, and the consoles remove it. */
    erased(chat: { id: number; key: string }, offer: ChatOffer | null) {
      const room = visitors.in(chatRoom(chat.id))
      room.emit('chat:closed', { id_chat: chat.key, transcript: false })
      room.socketsLeave(chatRoom(chat.id))
      staff.emit('staff:erased', { id: chat.id })
      if (offer) broadcast.offerEnded(chat.id, offer, 'withdrawn')
      queue.notify()
      broadcast.presence().catch((error: unknown) => log.warn({ err: error }, 'the consoles did not receive who is free'))
    },

    /** A technician reopened a closed conversation. */
    reopened(chat: { id: number; key: string }) {
      visitors.in(chatRoom(chat.id)).emit('chat:reopened', { id_chat: chat.key })
    },

    /** To the technician who lost a chat, on all their consoles. */
    released(userId: number, lost: Parameters<StaffEvents['staff:released']>[0]) {
      staff.in(userRoom(userId)).emit('staff:released', lost)
    },

    offer(id: number, { from, to, note, until }: ChatOffer) {
      staff.in(userRoom(to.id_user)).emit('staff:offer', { id, from, note, until })
    },

    /** To both sides of an offer. */
    offerEnded(id: number, { from, to }: ChatOffer, result: Parameters<StaffEvents['staff:offer-ended']>[0]['result']) {
      staff.in([userRoom(from.id_user), userRoom(to.id_user)]).emit('staff:offer-ended', { id, from, to, result })
    },

    /** A chat to every console, as it is now; returns it. */
    async chat(id: number, online = isOnline(id)) {
      const chat = await findStaffChat(db, id, online)
      emitChats([chat])
      return chat
    },

    /** The same in a moment: one query for all that changed meanwhile. */
    chatSoon(id: number) {
      due.add(id)
      if (timer === undefined && !isOver) emitDueIn(gatherMs)
    },

    /** Who is available, and how many conversations each has; `local` where the other instances know it already. */
    async presence({ local = false } = {}) {
      const users = await findStaffPresence(db, staff)
      if (local) staff.local.emit('staff:presence', users)
      else staff.emit('staff:presence', users)
    },

    /** The waiting queue changed; the chat that is named receives its place in any case. */
    queue: queue.notify,
  }
  return broadcast
}
