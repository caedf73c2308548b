import type { Received } from '../../src/server/testing/test-smtp.ts'
import type { Fault } from './steps.ts'

/*
 * What the clients of a history saw, for the checker. Times are those of the machine, in milliseconds. A text is unique in its
 * history, so that what became of it is found by it.
 */

/** `sureAt`: when its number was known. */
type Form = { text: string; kind: 'support' | 'contact'; email: string; sureAt: number; reference: string | null }
type Mail = { text: string; email: string; copies: number; deliveredAt: number; isReply: boolean }
/** A technician's answer to a request; `isSure`: the server acknowledged it. */
type Reply = { text: string; requestId: number; email: string; isSure: boolean }
/** A message of either side; `isSure`: the client has the server's acknowledgement. */
export type Sent = { text: string; by: number | 'visitor'; startedAt: number; endedAt: number; isSure: boolean }
/** Who got a conversation: a claim or an accepted offer. */
export type Taken = { by: number; startedAt: number; endedAt: number; isSure: boolean }
export type Chat = {
  id: number
  name: string
  key: string
  startedAt: number
  sent: Sent[]
  taken: Taken[]
  /** Races of all technicians for it: how many won, and who was told that they did. */
  races: { winners: number[]; startedAt: number; endedAt: number }[]
  isClosing: boolean
}
type Signal = { monitor: number; state: 'up' | 'down'; at: number; isSure: boolean }
type Update = { text: string; isSure: boolean; at: number }
type Incident = { title: string; updates: Update[]; at: number; isSure: boolean }

export type FaultTime = { fault: Fault; from: number; until: number }

export type Journal = {
  forms: Form[]
  mails: Mail[]
  replies: Reply[]
  chats: Chat[]
  signals: Signal[]
  incidents: Incident[]
  faults: FaultTime[]
  /** Alerts of waiting conversations that a console received, by the number of the conversation. */
  alerts: Map<number, number[]>
  /** What each side shows of each conversation in the end. */
  shown: { id: number; name: string; side: string; messages: { seq: number; text: string }[]; unsent: number }[]
  /** What was noticed on the way, such as an instance that stopped by itself. */
  noticed: string[]
  received: Received[]
}

export const newJournal = (received: Received[]): Journal => ({
  forms: [],
  mails: [],
  replies: [],
  chats: [],
  signals: [],
  incidents: [],
  faults: [],
  alerts: new Map(),
  shown: [],
  noticed: [],
  received,
})

/** When an instance may have recorded a time: then, or at another moment by a clock that a fault moved. */
export const realTimesOf = ({ faults }: Pick<Journal, 'faults'>, at: number) => [
  at,
  ...faults.flatMap(({ fault, from, until }) => {
    const real = fault.do === 'clock' ? at - fault.shiftMs : 0
    return real >= from && real <= until ? [real] : []
  }),
]

export const countMatters = ({ forms, mails, chats, signals }: Journal) =>
  forms.length + mails.length + chats.length + signals.filter(({ state }) => state === 'down').length
