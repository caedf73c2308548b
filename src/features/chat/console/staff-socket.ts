import type { Socket } from 'socket.io-client'
import type { ChatAnswer, ChatErrorCode, StaffEvents, StaffPushes } from '../values.ts'

export type StaffSocket = Socket<StaffPushes, StaffEvents>

export class StaffRefusal extends Error {
  readonly code: ChatErrorCode
  /** The colleague it is about; empty where it is about nobody. */
  readonly userName: string

  constructor(code: ChatErrorCode, userName = '') {
    super(code)
    this.code = code
    this.userName = userName
  }
}

/** Asks the server for one thing; throws `StaffRefusal` where it says no. */
export type Ask = <T>(call: (line: ReturnType<StaffSocket['timeout']>) => Promise<ChatAnswer<T>>) => Promise<T>
