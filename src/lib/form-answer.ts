import type { LocalizedText } from './language/localized-text.ts'

/** What is wrong with each field. */
export type FormErrors = Record<string, LocalizedText>
/** What the person is told of what they sent: that it arrived, or that it did not. */
export type FormOutcome = {
  status: 'success' | 'error'
  lines: LocalizedText[]
  /** A number to keep, shown by itself. */
  reference?: string
  /** What kept it from arriving, where that is known. */
  cause?: 'cookies'
}
export type FormAnswer = { errors: FormErrors; outcome: FormOutcome | null }
