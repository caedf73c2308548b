import type { FormAnswer } from '#src/lib/form-answer.ts'

/** Values of the contract that pages need without its schemas, which would weigh on the first load. */
export const requestKinds = ['support', 'contact', 'chat'] as const
export type RequestKind = (typeof requestKinds)[number]

export const requestStatuses = ['new', 'open', 'done'] as const
export type RequestStatus = (typeof requestStatuses)[number]
/** What a trap for robots caught waits for a person's word before it becomes a request. */
export const storedStatuses = [...requestStatuses, 'suspected'] as const
export type StoredStatus = (typeof storedStatuses)[number]

/** Which of the fields that no person fills were filled. */
export const traps = ['honey', 'username', 'both'] as const
export type Trap = (typeof traps)[number]

/** Days after which what was suspected, and nobody took, is deleted. */
export const suspectedDays = 30
/** Milliseconds within which a decision about a suspected one is undone. */
export const undoMs = 10_000

export const mailStates = ['waiting', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export const requestSorts = ['-created_at', 'created_at', 'name', '-name', 'status', '-status'] as const
export type RequestSort = (typeof requestSorts)[number]

/** Most characters of a description or a message (spec.md 9). */
export const messageMax = 2000
/** Under this a robot filled the form, or the visitor came back to it: the server waits for the rest. */
export const minimumFillMs = 2_000
export const requestsPerPage = 25

const prefixes: Record<RequestKind, string> = { support: 'AS', contact: 'CT', chat: 'CL' }

/** `AS-2026-000123`: kind, year and number. */
export function formatReference(kind: RequestKind, year: number | string, number: number) {
  return `${prefixes[kind]}-${year}-${String(number).padStart(6, '0')}`
}

/** Nothing but a number of this shape proves that a form arrived. */
export const referencePattern = /^(?:AS|CT|CL)-\d{4}-\d{6,}$/

/** What a person fills in, in the order of the page. */
export const requestFields = {
  support: ['firstname', 'lastname', 'email', 'phone', 'subject', 'description'],
  contact: ['name', 'email', 'phone', 'message'],
} as const

/** What became of a form that was posted without JavaScript. */
export type PostedForm = FormAnswer & {
  /** What was entered, to be shown again. */
  values: Record<string, string>
  /** Null where the page of the answer is a new form. */
  shownAt: string | null
  clientId: string | null
}
