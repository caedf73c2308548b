import type { FormAnswer } from '#src/lib/form-answer.ts'

/** Values of the contract that pages need without its schemas, which would weigh on the first load. */
export const requestKinds = ['support', 'contact', 'chat'] as const
export type RequestKind = (typeof requestKinds)[number]

export const requestStatuses = ['new', 'open', 'done'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export const mailStates = ['waiting', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export const requestSorts = ['-created_at', 'created_at', 'name', '-name', 'status', '-status'] as const
export type RequestSort = (typeof requestSorts)[number]

/** Most characters of a description or a message (spec.md 9). */
export const messageMax = 2000
/** A form sent sooner than this after it was shown was not filled by a person. */
export const minimumFillMs = 2_000
export const requestsPerPage = 25

const prefixes: Record<RequestKind, string> = { support: 'AS', contact: 'CT', chat: 'CL' }

/** `AS-2026-000123`: kind, year and number. */
export function formatReference(kind: RequestKind, year: number | string, number: number) {
  return `${prefixes[kind]}-${year}-${String(number).padStart(6, '0')}`
}

/** What a person fills in, in the order of the page. */
export const requestFields = {
  support: ['firstname', 'lastname', 'email', 'phone', 'subject', 'description'],
  contact: ['name', 'email', 'phone', 'message'],
} as const

/** What became of a form that was posted without JavaScript. */
export type PostedForm = FormAnswer & {
  /** What was entered, to be shown again. */
  values: Record<string, string>
  shownAt: string | null
}
