import { and, eq, isNull, ne } from 'drizzle-orm'
import type { App } from '#src/server/types.ts'
import { readPrivateCookie } from '#src/server/http/private-cookies.ts'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import { hasRight } from '#src/lib/rights.ts'
import { countInRoom } from '#src/server/cluster/remote-sockets.ts'
import type { Actor } from '#src/features/people/sign-in/server/sessions.ts'
import { findActor } from '#src/features/people/sign-in/server/sessions.ts'
import type { Level } from '#src/lib/rights.ts'
import type { Database } from '#src/server/database/database.ts'
import type { StaffNamespace, StaffSocket, VisitorNamespace } from './namespaces.ts'
import type { WaitingLine } from './waiting-queue.ts'
import { ChatRefusal, answering } from './refusal.ts'
import { availableRoom, findOwnAvailability, userRoom, setAvailable } from './availability.ts'
import { staffRequests } from '../protocol.ts'
import { chatRoom, isVisitorThere } from './namespaces.ts'
import { findStaffPresence } from './presence.ts'
import {
  findOlderStaffMessages,
  findStaffMessages,
  closeChat,
  findChat,
  markReadByStaff,
  toStaffMessage,
  toVisitorMessage,
  takenBy,
} from './service.ts'
import { findStaffChats, findStaffChat } from './staff-chats.ts'
import { canMailTranscript } from './transcript.ts'
import { appendNote, appendStaffMessage, moveToContinuation } from './messages.ts'
import { chats } from './table.ts'

/** The technicians' side, on `/staff`: a session and the right are asked for at the door and at each event. */
export function serveStaff(app: App, staff: StaffNamespace, visitors: VisitorNamespace, queue: WaitingLine) {
  const desk = createStaffDesk(app, staff, visitors, queue)
  const { tellPresence, isOnline } = desk

  staff.use((socket, next) => {
    if (!app.realtime.isOwnPage(socket)) return next(new Error('forbidden'))
    const sessionId = readPrivateCookie(app.config, app.parseCookie(socket.request.headers.cookie ?? ''), sessionCookie) ?? ''
    allowed(app, sessionId, 'read_only').then(
      (actor) => {
        const canAnswer = hasRight(actor.rights, 'chat', 'read_write')
        socket.data = { userId: actor.userId, userName: actor.displayName, sessionHash: actor.sessionHash, sessionId, canAnswer }
        next()
      },
      (error: unknown) => next(error instanceof ChatRefusal ? new Error(error.code) : new Error('broken')),
    )
  })

  app.events.onSessionEnded((hash) => {
    for (const socket of staff.sockets.values()) if (socket.data.sessionHash === hash) socket.disconnect(true)
  })

  staff.on('connection', (socket: StaffSocket) => {
    enter(socket).catch((error: unknown) => app.log.warn({ err: error }, 'a technician’s arrival was not told'))
    socket.on('disconnect', () => {
      tellPresence().catch((error: unknown) => app.log.warn({ err: error }, 'a technician’s absence was not told'))
    })
    const caller = callerOf(app, socket)
    onListEvents(socket, caller, desk)
    onClaimEvents(socket, caller, desk)
    onMessageEvents(socket, caller, desk)
  })

  async function enter(socket: StaffSocket) {
    const { userId } = socket.data
    await socket.join(userRoom(userId))
    if (socket.data.canAnswer && (await findOwnAvailability(app.db, userId)).available) await socket.join(availableRoom)
    await tellPresence()
  }

  return { tellPresence, isOnline }
}

const listsPerPerson = { points: 60, seconds: 10 }

/** What a console shows: who is available, the list of chats, one of them opened. */
function onListEvents(socket: StaffSocket, { actor }: StaffCaller, { app, staff, ...desk }: StaffDesk) {
  const { db, limits } = app
  const { userId } = socket.data

  socket.on(
    'staff:availability',
    answering('staff:availability', staffRequests['staff:availability'].input, async ({ available }) => {
      await actor('read_write')
      const own = await setAvailable(db, staff, userId, available)
      await desk.tellPresence()
      return own
    }),
  )

  socket.on(
    'staff:chats',
    answering('staff:chats', staffRequests['staff:chats'].input, async (options) => {
      await actor('read_only')
      await limits.take('chat-list', String(userId), listsPerPerson)
      const found = await findStaffChats(db, options, desk.isOnline)
      const own = socket.rooms.has(availableRoom) ? await findOwnAvailability(db, userId) : { available: false, until: null }
      return { ...found, ...own, users: await findStaffPresence(db, staff) }
    }),
  )

  socket.on(
    'staff:open',
    answering('staff:open', staffRequests['staff:open'].input, async ({ id, after_seq: afterSeq, before_id: beforeId }) => {
      await actor('read_only')
      await socket.join(chatRoom(id))
      const page = afterSeq === undefined ? findOlderStaffMessages(db, id, beforeId) : findStaffMessages(db, id, afterSeq)
      return { chat: await desk.seen(id), ...(await page) }
    }),
  )
}

/** Whose a chat is: claimed, given to a colleague, closed. */
function onClaimEvents(socket: StaffSocket, { technician, own }: StaffCaller, desk: StaffDesk) {
  const { app, staff, visitors, shareAll } = desk
  const { db } = app
  const { userId } = socket.data

  socket.on(
    'staff:claim',
    answering('staff:claim', staffRequests['staff:claim'].input, async ({ id }) => {
      await technician()
      const isThere = (one: number) => countInRoom(staff, userRoom(one)) > 0
      await claimChat(db, id, userId, isThere)
      return { chat: await shareAll(id) }
    }),
  )

  socket.on(
    'staff:transfer',
    answering('staff:transfer', staffRequests['staff:transfer'].input, async ({ id, id_user: to }) => {
      const person = await technician()
      const present = await findStaffPresence(db, staff)
      if (!present.some((one) => one.id_user === to && one.can_answer))
        throw new ChatRefusal('no_users', 'This technician is not online.')
      await transferChat(db, id, { userId, isAdministrator: hasRight(person.rights, 'chat', 'administrator') }, to)
      return { chat: await shareAll(id) }
    }),
  )

  socket.on(
    'staff:close',
    answering('staff:close', staffRequests['staff:close'].input, async ({ id }) => {
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

/** What is said in a chat: messages, notes, that somebody types, how far was read. */
function onMessageEvents(socket: StaffSocket, { technician, own }: StaffCaller, desk: StaffDesk) {
  const { app, staff, visitors, isRetold, share } = desk
  const { db } = app
  const { userId } = socket.data

  socket.on(
    'staff:send-message',
    answering(
      'staff:send-message',
      staffRequests['staff:send-message'].input,
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
    answering('staff:note', staffRequests['staff:note'].input, async ({ id, ...sent }) => {
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
    answering('staff:typing', staffRequests['staff:typing'].input, async ({ id }) => {
      const { displayName } = await technician()
      await own(id)
      visitors.in(chatRoom(id)).emit('chat:typing', { user_name: displayName })
      socket.to(chatRoom(id)).except(userRoom(userId)).emit('staff:answering', { id, user_name: displayName })
    }),
  )

  socket.on(
    'staff:read',
    answering('staff:read', staffRequests['staff:read'].input, async ({ id, seq }) => {
      await technician()
      await own(id)
      await markReadByStaff(db, id, seq)
      visitors.in(chatRoom(id)).emit('chat:read', { seq: (await findChat(db, id)).staffReadSeq })
      await share(id)
    }),
  )
}

/** What the events of all consoles share: the two sides, and what every console is told. */
function createStaffDesk(app: App, staff: StaffNamespace, visitors: VisitorNamespace, queue: WaitingLine) {
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

type StaffDesk = ReturnType<typeof createStaffDesk>

const sendsPerPerson = { points: 120, seconds: 10 }

/** The person at one console: session and right are asked for anew at each event. */
function callerOf(app: App, socket: StaffSocket) {
  const { userId, sessionId } = socket.data
  const actor = (level: Level) => allowed(app, sessionId, level)

  return {
    actor,
    async technician() {
      const person = await actor('read_write')
      await app.limits.take('chat-staff', String(userId), sendsPerPerson)
      return person
    },
    /** Refuses what belongs to the colleague who answers the chat. */
    async own(id: number, also?: 'or waiting') {
      const chat = await findChat(app.db, id)
      if (chat.userId !== userId && !(also && chat.status === 'waiting')) throw await takenBy(app.db, chat)
    },
  }
}

type StaffCaller = ReturnType<typeof callerOf>

/** Who has this session, where they have the right; refuses everybody else. */
async function allowed(app: App, sessionId: string, level: Level): Promise<Actor> {
  const actor = await findActor(app.db, sessionId)
  if (!actor) throw new ChatRefusal('not_connected', 'Sign in first.')
  if (actor.mustSetUpTotp || !hasRight(actor.rights, 'chat', level)) {
    throw new ChatRefusal('forbidden', 'You do not have the right to do this.')
  }
  return actor
}

/**
 * Exactly one of those who claim a waiting chat gets it; claiming one's own again is no refusal. A chat whose
 * technician `isThere` denies can be taken over in the same way.
 */
async function claimChat(db: Database, id: number, userId: number, isThere: (userId: number) => boolean = () => true) {
  const chat = await findChat(db, id)
  if (chat.status === 'claimed' && chat.userId === userId) return chat
  if (chat.status === 'closed') throw new ChatRefusal('closed', 'This conversation is closed.')
  const isLeft = chat.status === 'claimed' && (chat.userId === null || !isThere(chat.userId))
  const isFree = isLeft
    ? and(eq(chats.status, 'claimed'), chat.userId === null ? isNull(chats.userId) : eq(chats.userId, chat.userId))
    : eq(chats.status, 'waiting')
  const [won] = await db
    .update(chats)
    .set({ status: 'claimed', userId, claimedAt: chat.claimedAt ?? new Date(), updatedAt: new Date() })
    .where(and(eq(chats.id, id), isFree))
    .returning()
  const now = won ?? (await findChat(db, id))
  if (now.userId !== userId) throw await takenBy(db, now)
  return now
}

async function transferChat(db: Database, id: number, from: { userId: number; isAdministrator: boolean }, to: number) {
  const isMine = from.isAdministrator ? undefined : eq(chats.userId, from.userId)
  const [row] = await db
    .update(chats)
    .set({ userId: to, status: 'claimed', updatedAt: new Date() })
    .where(and(eq(chats.id, id), ne(chats.status, 'closed'), isMine))
    .returning()
  if (row) return row
  const chat = await findChat(db, id)
  if (chat.status === 'closed') throw new ChatRefusal('closed', 'This conversation is closed.')
  throw await takenBy(db, chat)
}
