import { translateAll } from '#src/lib/localized-text.ts'
import type { Failure } from '#src/ui/failures.ts'
import { failureTexts } from '#src/ui/failures.ts'
import type { FormOutcome } from '#src/lib/form-answer.ts'
import { outcomeTexts } from './outcome-texts.ts'

/** It arrived (spec.md 8), under this reference. */
export function sayArrived(kind: 'support' | 'contact', reference: string): FormOutcome {
  return {
    status: 'success',
    lines: [translateAll(outcomeTexts, `${kind}Sent`), translateAll(outcomeTexts, 'keepReference')],
    reference,
  }
}

/** It did not, and why. */
export function sayFailed(failure: Failure): FormOutcome {
  // A visitor has no access group: a refused token is our trouble.
  const reason = failure === 'forbidden' ? 'broken' : failure
  return { status: 'error', lines: [translateAll(outcomeTexts, 'failure'), translateAll(failureTexts, reason)] }
}
