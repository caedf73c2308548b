import type { FormResult } from '#src/lib/form-result.ts'

/** Values of the contract that the public forms need, without those of the administration, for a light first load. */

/** Most characters of a description or a message. */
export const messageMax = 2000
/** What a person fills in, in the order of the page. */
export const requestFields = {
  support: ['firstname', 'lastname', 'email', 'phone', 'subject', 'description'],
  contact: ['name', 'email', 'phone', 'message'],
  application: ['firstname', 'lastname', 'email', 'phone', 'message', 'files'],
} as const

/** What became of a form that was posted without JavaScript. */
export type PostedForm = FormResult & {
  /** What was entered, to be shown again. */
  values: Record<string, string>
  /** Null where the page of the answer is a new form. */
  shownAt: string | null
  clientId: string | null
}
