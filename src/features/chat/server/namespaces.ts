import type { Namespace, Socket } from 'socket.io'
import { z } from 'zod'
import type { Language } from '#src/lib/language/language.ts'
import { languages } from '#src/lib/language/language.ts'
import { countInRoom, remoteSockets } from '#src/server/cluster/remote-sockets.ts'
import type { StaffRequests, StaffEvents, VisitorRequests, VisitorEvents } from '../protocol.ts'

type NoServerEvents = Record<string, never>
type StaffData = {
  userId: number
  userName: string
  languages: readonly Language[]
  sessionHash: string
  sessionId: string
  canAnswer: boolean
}

export type VisitorNamespace = Namespace<VisitorRequests, VisitorEvents>
export type VisitorSocket = Socket<VisitorRequests, VisitorEvents>
export type StaffNamespace = Namespace<StaffRequests, StaffEvents, NoServerEvents, StaffData>
export type StaffSocket = Socket<StaffRequests, StaffEvents, NoServerEvents, StaffData>

/** Room of a conversation, in both namespaces. */
export const chatRoom = (id: number) => `chat:${id}`

export function chatOfRoom(room: string) {
  const id = Number(/^chat:(\d+)$/.exec(room)?.[1])
  return id > 0 ? id : null
}

/** Whether a visitor has the conversation open somewhere. */
export function isVisitorOnline(visitors: VisitorNamespace, id: number) {
  return countInRoom(visitors, chatRoom(id)) > 0
}

const consoleData = z.object({
  userId: z.number(),
  userName: z.string(),
  // An instance of the former version names none.
  languages: z.array(z.enum(languages)).readonly().default(languages),
  canAnswer: z.boolean(),
})
type ConnectedConsole = z.infer<typeof consoleData> & { rooms: ReadonlySet<string> }

/** What the other instances know of a console; never its session. */
export function describeConsole({ data }: StaffSocket): z.infer<typeof consoleData> {
  const { userId, userName, languages: spoken, canAnswer } = data
  return { userId, userName, languages: spoken, canAnswer }
}

/** Every console that is connected, on all instances. */
export function findConsoles(staff: StaffNamespace): ConnectedConsole[] {
  const here = [...staff.sockets.values()].map((socket) => ({ ...describeConsole(socket), rooms: socket.rooms }))
  const elsewhere = remoteSockets(staff).flatMap(({ data, rooms }) => {
    const parsed = consoleData.safeParse(data)
    return parsed.success ? [{ ...parsed.data, rooms }] : []
  })
  return [...elsewhere, ...here]
}
