import { translateAll } from '#src/lib/language/localized-text.ts'
import type { Failure } from '#src/ui/forms/failures.ts'
import { failureTexts } from '#src/ui/forms/failures.ts'
import type { FormOutcome } from '#src/lib/form-answer.ts'
import { outcomeTexts } from './outcome-texts.ts'

/** It arrived, under this reference. */
export function sayArrived(kind: 'support' | 'contact', reference: string): FormOutcome {
  return {
    status: 'success',
    lines: [translateAll(outcomeTexts, `${kind}Sent`), translateAll(outcomeTexts, 'keepReference')],
    reference,
  }
}

const ownReasons = new Set<Failure>(['limited', 'diskFull'])

/** Nothing says that it did, and why: a page cannot know that it did not. */
export function sayFailed(failure: Failure, cause?: FormOutcome['cause']): FormOutcome {
  const reason = ownReasons.has(failure) ? translateAll(failureTexts, failure) : translateAll(outcomeTexts, 'unconfirmed')
  return { status: 'error', lines: [translateAll(outcomeTexts, 'failure'), reason], ...(cause && { cause }) }
}
