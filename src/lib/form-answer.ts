import type { LocalizedText } from './language/localized-text.ts'

/** Validation messages by field. */
export type FormErrors = Record<string, LocalizedText>
/** Result shown after submitting: received, or failed. */
export type FormOutcome = {
  status: 'success' | 'error'
  lines: LocalizedText[]
  /** Reference number, shown on its own line. */
  reference?: string
  /** Why it failed, where known. */
  cause?: 'cookies'
}
export type FormAnswer = { errors: FormErrors; outcome: FormOutcome | null }
