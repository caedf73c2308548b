import type { App } from '#src/server/types.ts'
import { countInRoom } from '#src/server/instances/remote-sockets.ts'
import { sessionCookie } from '#src/server/http/xsrf.ts'
import type { Actor } from '../../auth/server/sessions.ts'
import { findActor } from '../../auth/server/sessions.ts'
import type { Level } from '../../groups/values.ts'
import { hasRight } from '../../groups/values.ts'
import { staffInputs } from '../contract.ts'
import { appendNote, appendStaffMessage } from './append.ts'
import { claimChat, transferChat } from './claims.ts'
import { chatRoom, isVisitorThere } from './namespaces.ts'
import type { StaffNamespace, StaffSocket, VisitorNamespace } from './namespaces.ts'
import { answering, ChatRefusal } from './refusal.ts'
import { closeChat, findChat, findStaffMessages, markReadByStaff, takenBy, toStaffMessage, toVisitorMessage } from './service.ts'
import { findStaffPresence } from './presence.ts'
import type { Queue } from './queue.ts'
import { findStaffChat, findStaffChats } from './staff-chats.ts'
import { availableRoom, findOwnAvailability, setAvailable, userRoom } from './technicians.ts'

const sendsPerPerson = { points: 120, seconds: 10 }
const listsPerPerson = { points: 60, seconds: 10 }

/** The technicians' side, on `/staff`: a session and the right are asked for at the door and at each event. */
export function serveStaff(app: App, staff: StaffNamespace, visitors: VisitorNamespace, queue: Queue) {
  const { db, limits } = app
  // Sent again, it may come from an instance that died between its commit and its word to the others.
  const isRetold = !app.cluster.isAlone
  const tellPresence = async () => {
    staff.emit('staff:presence', await findStaffPresence(db, staff))
  }
  const isOnline = (id: number) => isVisitorThere(visitors, id)
  const seen = (id: number) => findStaffChat(db, id, isOnline(id))

  staff.use((socket, next) => {
    if (!app.realtime.isOwnPage(socket)) return next(new Error('forbidden'))
    const sessionId = app.parseCookie(socket.request.headers.cookie ?? '')[sessionCookie] ?? ''
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
    const { userId, sessionId } = socket.data
    const actor = (level: Level) => allowed(app, sessionId, level)
    const technician = async () => {
      const person = await actor('read_write')
      await limits.take('chat-staff', String(userId), sendsPerPerson)
      return person
    }

    /** Refuses what belongs to the colleague who answers the chat. */
    const own = async (id: number, also?: 'or waiting') => {
      const chat = await findChat(db, id)
      if (chat.userId !== userId && !(also && chat.status === 'waiting')) throw await takenBy(db, chat)
    }

    enter(socket).catch((error: unknown) => app.log.warn({ err: error }, 'a technician’s arrival was not told'))
    socket.on('disconnect', () => {
      tellPresence().catch((error: unknown) => app.log.warn({ err: error }, 'a technician’s absence was not told'))
    })

    socket.on(
      'staff:availability',
      answering('staff:availability', staffInputs['staff:availability'], async ({ available }) => {
        await actor('read_write')
        const own = await setAvailable(db, staff, userId, available)
        await tellPresence()
        return own
      }),
    )

    socket.on(
      'staff:chats',
      answering('staff:chats', staffInputs['staff:chats'], async (options) => {
        await actor('read_only')
        await limits.take('chat-list', String(userId), listsPerPerson)
        const found = await findStaffChats(db, options, isOnline)
        const own = socket.rooms.has(availableRoom) ? await findOwnAvailability(db, userId) : { available: false, until: null }
        return { ...found, ...own, users: await findStaffPresence(db, staff) }
      }),
    )

    socket.on(
      'staff:open',
      answering('staff:open', staffInputs['staff:open'], async ({ id, after_seq: afterSeq }) => {
        await actor('read_only')
        await socket.join(chatRoom(id))
        return { chat: await seen(id), ...(await findStaffMessages(db, id, afterSeq)) }
      }),
    )

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
      'staff:send-message',
      answering(
        'staff:send-message',
        staffInputs['staff:send-message'],
        async ({ id, ...sent }) => {
          const { chat, message, isNew } = await appendStaffMessage(db, id, await technician(), sent)
          if (isNew || isRetold) {
            visitors.in(chatRoom(id)).emit('chat:new-message', toVisitorMessage(message, chat.key))
            socket.broadcast.emit('staff:new-message', toStaffMessage(message))
            await share(id)
          }
          return { message: toStaffMessage(message) }
        },
        (milliseconds) => app.metrics.messageTook('staff', milliseconds),
      ),
    )

    socket.on(
      'staff:note',
      answering('staff:note', staffInputs['staff:note'], async ({ id, ...sent }) => {
        const { message, isNew } = await appendNote(db, id, await technician(), sent)
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

    socket.on(
      'staff:close',
      answering('staff:close', staffInputs['staff:close'], async ({ id }) => {
        const person = await technician()
        if (!hasRight(person.rights, 'chat', 'administrator')) await own(id, 'or waiting')
        const closed = await closeChat(db, id)
        if (closed) visitors.in(chatRoom(id)).emit('chat:closed', { id_chat: closed.key })
        return { chat: await shareAll(id) }
      }),
    )
  })

  async function enter(socket: StaffSocket) {
    const { userId } = socket.data
    await socket.join(userRoom(userId))
    if (socket.data.canAnswer && (await findOwnAvailability(db, userId)).available) await socket.join(availableRoom)
    await tellPresence()
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

  return { tellPresence, isOnline, share }
}

async function allowed(app: App, sessionId: string, level: Level): Promise<Actor> {
  const actor = await findActor(app.db, sessionId)
  if (!actor) throw new ChatRefusal('not_connected', 'Sign in first.')
  if (actor.mustSetUpTotp || !hasRight(actor.rights, 'chat', level)) {
    throw new ChatRefusal('forbidden', 'You do not have the right to do this.')
  }
  return actor
}
