import type { App } from '#src/server/types.ts'
import type { ChatRefused } from '../../values.ts'
import type { StaffNamespace, VisitorNamespace, VisitorSocket } from '../namespaces.ts'
import type { StaffNews } from '../staff/staff-news.ts'
import type { WaitingLine } from './waiting-line.ts'

/** One visitor's connection, and who is told of what comes from it. */
export type VisitorSide = {
  app: App
  socket: VisitorSocket
  visitors: VisitorNamespace
  staff: StaffNamespace
  queue: WaitingLine
  news: StaffNews
}

/** Tells a client that gave no callback that it was refused. */
export function emitError(socket: VisitorSocket, { code, message }: ChatRefused) {
  socket.emit('chat:error', { code, message })
}
