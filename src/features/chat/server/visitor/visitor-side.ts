import type { App } from '#src/server/types.ts'
import type { StaffNamespace, VisitorSocket } from '../namespaces.ts'
import type { StaffNews } from '../staff/staff-news.ts'
import type { WaitingLine } from './waiting-line.ts'

/** One visitor's connection, and who is told of what comes from it. */
export type VisitorSide = { app: App; socket: VisitorSocket; staff: StaffNamespace; queue: WaitingLine; news: StaffNews }
