import { translateAll } from '#src/lib/form-result.ts'
import { callApi } from '#src/ui/api.ts'
import { failureTexts } from '#src/ui/forms/failures.ts'
import { createFormSubmission } from '#src/ui/forms/form-submission.ts'
import { commentInput } from '../contract.ts'

export function createCommentSubmission(id: number) {
  return createFormSubmission({
    schema: commentInput,
    fields: ['body'],
    send: (values) => callApi('POST', `/api/requests/requests/${id}/comments`, values),
    describeSent: () => ({ status: 'success', lines: [] }),
    describeFailure: (failure) => ({ status: 'error', lines: [translateAll(failureTexts, failure)] }),
  })
}
