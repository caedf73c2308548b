import type { App } from '#src/server/types.ts'
import type { Actor } from '#src/features/people/sign-in/server/sessions.ts'
import { findActor } from '#src/features/people/sign-in/server/sessions.ts'
import type { Level } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import type { StaffSocket } from '../namespaces.ts'
import { ChatRefusal } from '../refusal.ts'
import { findChat, takenBy } from '../service.ts'

const sendsPerPerson = { points: 120, seconds: 10 }

/** The person at one console: session and right are asked for anew at each event. */
export function callerOf(app: App, socket: StaffSocket) {
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

export type StaffCaller = ReturnType<typeof callerOf>

/** Who has this session, where they have the right; refuses everybody else. */
export async function allowed(app: App, sessionId: string, level: Level): Promise<Actor> {
  const actor = await findActor(app.db, sessionId)
  if (!actor) throw new ChatRefusal('not_connected', 'Sign in first.')
  if (actor.mustSetUpTotp || !hasRight(actor.rights, 'chat', level)) {
    throw new ChatRefusal('forbidden', 'You do not have the right to do this.')
  }
  return actor
}
