import { callApi } from '#src/ui/api.ts'
import { createFormWork } from '#src/ui/form-work.ts'
import type { RequestReceipt } from '../contract.ts'
import { contactInput, supportInput } from '../contract.ts'
import { sayArrived, sayFailed } from '../outcome.ts'
import { minimumFillMs, requestFields } from '../values.ts'

/** What a public form does once somebody fills it; `elapsed` tells how long it has been in sight, in milliseconds. */
export function createRequestWork(kind: 'support' | 'contact', elapsed: () => number) {
  return createFormWork<RequestReceipt>({
    schema: kind === 'support' ? supportInput : contactInput,
    fields: requestFields[kind],
    send: async ({ shown_at: _shownAt, ...values }) => {
      // Kept values can be sent at once after a reload: the wait is ours, so that no person is taken for a robot.
      const tooEarly = minimumFillMs - elapsed()
      if (tooEarly > 0) await new Promise((resolve) => setTimeout(resolve, tooEarly))
      return callApi('POST', `/api/mailer/${kind}`, { ...values, elapsed_ms: elapsed() })
    },
    describeSent: ({ reference }) => sayArrived(kind, reference),
    describeFailure: sayFailed,
  })
}
