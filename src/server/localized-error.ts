import type { LocalizedText } from '#src/lib/form-result.ts'
import { setTypography } from '#src/lib/language/texts.ts'

/** What a command could not do: refused or wrong (exit code 1), used wrongly (2), or something does not respond (3). */
export type Reason = 'refused' | 'usage' | 'unreachable'

/** An error that its reader can act on: one sentence in both languages, shown without a stack trace. */
export class LocalizedError extends Error {
  readonly texts: LocalizedText
  readonly reason: Reason

  constructor({ fr, en }: LocalizedText, reason: Reason = 'refused', options?: ErrorOptions) {
    super(en, options)
    this.texts = { fr: setTypography(fr, 'fr'), en }
    this.reason = reason
  }
}
