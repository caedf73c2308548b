import type { Said } from './said.ts'

/** What is wrong with each field. */
export type FormErrors = Record<string, Said>
/** What the person is told of what they sent: that it arrived, or that it did not. */
export type FormOutcome = {
  status: 'success' | 'error'
  lines: Said[]
  /** A number to keep, shown by itself. */
  reference?: string
}
export type FormAnswer = { errors: FormErrors; outcome: FormOutcome | null }
