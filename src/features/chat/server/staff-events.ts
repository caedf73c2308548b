import type { App } from '#src/server/types.ts'
import { readPrivateCookie } from '#src/server/http/private-cookies.ts'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import { hasRight } from '#src/lib/rights.ts'
import { countInRoom } from '#src/server/cluster/remote-sockets.ts'
import type { Actor } from '#src/features/people/sign-in/server/sessions.ts'
import { findActor } from '#src/features/people/sign-in/server/sessions.ts'
import type { Level } from '#src/lib/rights.ts'
import type { StaffSocket } from './namespaces.ts'
import { broadcastOf } from './broadcast.ts'
import { ChatRefusal, handleEvent } from './refusal.ts'
import { acceptOffer, claimChat, declineOffer, endOffer, offerChat, reopenChat, takeOverChat } from './ownership.ts'
import type { ReleaseReason } from '../protocol.ts'
import { availableRoom, findOwnAvailability, userRoom, setAvailable, findStaffPresence } from './availability.ts'
import { staffRequests } from '../protocol.ts'
import { chatRoom } from './namespaces.ts'
import {
  findOlderStaffMessages,
  findStaffMessages,
  findChat,
  markReadByStaff,
  toStaffMessage,
  takenBy,
  setTags,
  findPublicTechnician,
} from './service.ts'
import { findStaffChat, findStaffChats } from './staff-chats.ts'
import { canMailTranscript } from './transcript.ts'
import { appendNote, appendStaffMessage } from './messages.ts'
import { closeConversation } from './request-replies.ts'

/** What a console sends, on `/staff`: session and right are checked at the handshake and at each event. */
export function serveStaff(app: App) {
  const broadcast = broadcastOf(app)
  const { staff } = broadcast

  staff.use((socket, next) => {
    if (!app.realtime.isOwnPage(socket)) return next(new Error('forbidden'))
    const sessionId = readPrivateCookie(app.config, app.parseCookie(socket.request.headers.cookie ?? ''), sessionCookie) ?? ''
    requireRight(app, sessionId, 'read_only').then(
      (actor) => {
        const canAnswer = hasRight(actor.rights, 'chat', 'read_write')
        const { userId, displayName: userName, languages, sessionHash } = actor
        socket.data = { userId, userName, languages, sessionHash, sessionId, canAnswer }
        next()
      },
      (error: unknown) => next(error instanceof ChatRefusal ? new Error(error.code) : new Error('broken')),
    )
  })

  app.events.onSessionEnded((hash) => {
    for (const socket of staff.sockets.values()) if (socket.data.sessionHash === hash) socket.disconnect(true)
  })

  staff.on('connection', (socket: StaffSocket) => {
    enter(socket).catch((error: unknown) => app.log.warn({ err: error }, 'the arrival of a technician was not shown'))
    socket.on('disconnect', () => {
      broadcast.presence().catch((error: unknown) => app.log.warn({ err: error }, 'the absence of a technician was not shown'))
    })
    const caller = callerOf(app, socket)
    serveLists(app, socket, caller)
    serveOwnership(app, socket, caller)
    serveMessages(app, socket, caller)
  })

  async function enter(socket: StaffSocket) {
    const { userId } = socket.data
    await socket.join(userRoom(userId))
    if (socket.data.canAnswer && (await findOwnAvailability(app.db, userId)).available) await socket.join(availableRoom)
    await broadcast.presence()
  }
}

const listsPerPerson = { points: 60, seconds: 10 }

/** Who is available, the list of chats, and one of them opened. */
function serveLists(app: App, socket: StaffSocket, { actor }: StaffCaller) {
  const { db, limits } = app
  const broadcast = broadcastOf(app)
  const { staff, isVisitorOnline: isOnline } = broadcast
  const { userId } = socket.data

  socket.on(
    'staff:availability',
    handleEvent('staff:availability', staffRequests['staff:availability'].input, async ({ available }) => {
      await actor('read_write')
      const own = await setAvailable(db, staff, userId, available)
      await broadcast.presence()
      return own
    }),
  )

  socket.on(
    'staff:chats',
    handleEvent('staff:chats', staffRequests['staff:chats'].input, async (options) => {
      await actor('read_only')
      await limits.take('chat-list', String(userId), listsPerPerson)
      const found = await findStaffChats(db, options, isOnline)
      const own = socket.rooms.has(availableRoom) ? await findOwnAvailability(db, userId) : { available: false, until: null }
      return { ...found, ...own, users: await findStaffPresence(db, staff) }
    }),
  )

  socket.on(
    'staff:open',
    handleEvent('staff:open', staffRequests['staff:open'].input, async ({ id, after_seq: afterSeq, before_id: beforeId }) => {
      await actor('read_only')
      await socket.join(chatRoom(id))
      const page = afterSeq === undefined ? findOlderStaffMessages(db, id, beforeId) : findStaffMessages(db, id, afterSeq)
      return { chat: await findStaffChat(db, id, isOnline(id)), ...(await page) }
    }),
  )
}

/** Who has a chat: claim, take over, transfer, close, reopen; and its tags. */
function serveOwnership(app: App, socket: StaffSocket, { technician, requireOwner }: StaffCaller) {
  const { db } = app
  const broadcast = broadcastOf(app)
  const { staff } = broadcast
  const { userId, userName } = socket.data

  /** After a change of owner: notifies the former one, ends an offer, and broadcasts the chat. */
  async function changeOwner(id: number, lostBy: number | null, reason: ReleaseReason) {
    if (lostBy !== null && lostBy !== userId) broadcast.released(lostBy, { id, reason, user_name: userName })
    const offer = await endOffer(db, id)
    if (offer) broadcast.offerEnded(id, offer, 'withdrawn')
    return { chat: await broadcastOwner(id) }
  }

  async function broadcastOwner(id: number) {
    const chat = await broadcast.chat(id)
    await broadcast.presence()
    broadcast.queue()
    return chat
  }

  socket.on(
    'staff:claim',
    handleEvent('staff:claim', staffRequests['staff:claim'].input, async ({ id }) => {
      await technician()
      const isThere = (one: number) => countInRoom(staff, userRoom(one)) > 0
      const { lostBy } = await claimChat(db, id, userId, isThere)
      return changeOwner(id, lostBy, 'taken_over')
    }),
  )

  socket.on(
    'staff:take-over',
    handleEvent('staff:take-over', staffRequests['staff:take-over'].input, async ({ id }) => {
      const { rights } = await technician()
      if (!hasRight(rights, 'chat', 'administrator')) throw new ChatRefusal('forbidden', 'You do not have the right to do this.')
      const { lostBy } = await takeOverChat(db, id, userId)
      return changeOwner(id, lostBy, 'taken_over')
    }),
  )

  serveOffers()

  function serveOffers() {
    socket.on(
      'staff:transfer',
      handleEvent('staff:transfer', staffRequests['staff:transfer'].input, async ({ id, id_user: to, note }) => {
        const { rights } = await technician()
        const present = await findStaffPresence(db, staff)
        if (!present.some((one) => one.id_user === to && one.can_answer))
          throw new ChatRefusal('no_users', 'This technician is not online.')
        const giver = { userId, isAdministrator: hasRight(rights, 'chat', 'administrator') }
        const { offer, replaced } = await offerChat(db, id, giver, to, note.trim())
        if (replaced && replaced.to.id_user !== to) broadcast.offerEnded(id, replaced, 'withdrawn')
        if (offer) broadcast.offer(id, offer)
        return { offered: true as const, chat: await broadcast.chat(id) }
      }),
    )

    socket.on(
      'staff:accept',
      handleEvent('staff:accept', staffRequests['staff:accept'].input, async ({ id }) => {
        await technician()
        const { offer, lostBy } = await acceptOffer(db, id, userId)
        broadcast.offerEnded(id, offer, 'accepted')
        return changeOwner(id, lostBy, 'transferred')
      }),
    )

    socket.on(
      'staff:decline',
      handleEvent('staff:decline', staffRequests['staff:decline'].input, async ({ id }) => {
        await technician()
        const { offer, result } = await declineOffer(db, id, userId)
        broadcast.offerEnded(id, offer, result)
        return { chat: await broadcast.chat(id) }
      }),
    )
  }

  socket.on(
    'staff:close',
    handleEvent('staff:close', staffRequests['staff:close'].input, async ({ id }) => {
      const person = await technician()
      if (!hasRight(person.rights, 'chat', 'administrator')) await requireOwner(id, 'or waiting')
      const closed = await closeConversation(app, id, userId)
      if (closed) broadcast.closed(closed, { transcript: await canMailTranscript(db, closed) })
      return { chat: await broadcastOwner(id) }
    }),
  )

  socket.on(
    'staff:reopen',
    handleEvent('staff:reopen', staffRequests['staff:reopen'].input, async ({ id }) => {
      await technician()
      const reopened = await reopenChat(db, id, userId)
      if (reopened) broadcast.reopened(reopened)
      return { chat: await broadcastOwner(id) }
    }),
  )

  socket.on(
    'staff:tags',
    handleEvent('staff:tags', staffRequests['staff:tags'].input, async ({ id, tags }) => {
      await technician()
      await setTags(db, id, tags)
      return { chat: await broadcast.chat(id) }
    }),
  )
}

/** Messages, notes, typing, and how far was read. */
function serveMessages(app: App, socket: StaffSocket, { technician, requireOwner }: StaffCaller) {
  const { db } = app
  const broadcast = broadcastOf(app)
  const { visitors } = broadcast
  const { userId } = socket.data

  socket.on(
    'staff:send-message',
    handleEvent(
      'staff:send-message',
      staffRequests['staff:send-message'].input,
      async ({ id, ...sent }) => {
        const person = await technician()
        const { user_name: displayName, image_url: imageUrl } = await findPublicTechnician(app, userId)
        const appended = await appendStaffMessage(db, id, { ...person, displayName, imageUrl }, sent)
        broadcast.message(appended, [socket.id])
        return { message: toStaffMessage(appended.message) }
      },
      { onDone: (milliseconds) => app.metrics.messageTook('staff', milliseconds) },
    ),
  )

  socket.on(
    'staff:note',
    handleEvent('staff:note', staffRequests['staff:note'].input, async ({ id, ...sent }) => {
      const appended = await appendNote(db, id, await technician(), sent)
      broadcast.message(appended, [socket.id])
      return { message: toStaffMessage(appended.message) }
    }),
  )

  socket.on(
    'staff:typing',
    handleEvent('staff:typing', staffRequests['staff:typing'].input, async ({ id }) => {
      const { displayName } = await technician()
      await requireOwner(id)
      const { user_name } = await findPublicTechnician(app, userId)
      visitors.in(chatRoom(id)).emit('chat:typing', { user_name })
      socket.to(chatRoom(id)).except(userRoom(userId)).emit('staff:answering', { id, user_name: displayName })
    }),
  )

  socket.on(
    'staff:read',
    handleEvent('staff:read', staffRequests['staff:read'].input, async ({ id, seq }) => {
      await technician()
      await requireOwner(id)
      await markReadByStaff(db, id, seq)
      visitors.in(chatRoom(id)).emit('chat:read', { seq: (await findChat(db, id)).staffReadSeq })
      await broadcast.chat(id)
    }),
  )
}

const sendsPerPerson = { points: 120, seconds: 10 }

/** The person at one console; reads session and right again at each event. */
function callerOf(app: App, socket: StaffSocket) {
  const { userId, sessionId } = socket.data
  const actor = (level: Level) => requireRight(app, sessionId, level)

  return {
    actor,
    async technician() {
      const person = await actor('read_write')
      await app.limits.take('chat-staff', String(userId), sendsPerPerson)
      return person
    },
    /** Throws where a colleague answers the chat. */
    async requireOwner(id: number, also?: 'or waiting') {
      const chat = await findChat(app.db, id)
      const isNobodys = chat.status === 'waiting' || chat.status === 'away'
      if (chat.userId !== userId && !(also && isNobodys)) throw await takenBy(app.db, chat)
    },
  }
}

type StaffCaller = ReturnType<typeof callerOf>

/** The person of this session; throws without the right. */
async function requireRight(app: App, sessionId: string, level: Level): Promise<Actor> {
  const actor = await findActor(app.db, sessionId)
  if (!actor) throw new ChatRefusal('not_connected', 'Sign in first.')
  if (actor.mustSetUpTotp || !hasRight(actor.rights, 'chat', level)) {
    throw new ChatRefusal('forbidden', 'You do not have the right to do this.')
  }
  return actor
}
