import type { Namespace, Socket } from 'socket.io'
import type { StaffEvents, StaffPushes, VisitorEvents, VisitorPushes } from '../values.ts'

type NoServerEvents = Record<string, never>
type StaffData = { userId: number; userName: string; sessionHash: string; sessionId: string; canAnswer: boolean }

export type VisitorNamespace = Namespace<VisitorEvents, VisitorPushes>
export type VisitorSocket = Socket<VisitorEvents, VisitorPushes>
export type StaffNamespace = Namespace<StaffEvents, StaffPushes, NoServerEvents, StaffData>
export type StaffSocket = Socket<StaffEvents, StaffPushes, NoServerEvents, StaffData>

/** Room of a conversation, on either side. */
export const chatRoom = (id: number) => `chat:${id}`

/** Whether a visitor has the conversation open somewhere. */
export function isVisitorThere(visitors: VisitorNamespace, id: number) {
  return (visitors.adapter.rooms.get(chatRoom(id))?.size ?? 0) > 0
}
