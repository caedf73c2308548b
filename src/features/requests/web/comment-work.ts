import { translateAll } from '#src/lib/form-result.ts'
import { callApi } from '#src/ui/api.ts'
import { failureTexts } from '#src/ui/forms/failures.ts'
import { createFormWork } from '#src/ui/forms/form-work.ts'
import { commentInput } from '../contract.ts'

export function createCommentWork(id: number) {
  return createFormWork({
    schema: commentInput,
    fields: ['body'],
    send: (values) => callApi('POST', `/api/requests/requests/${id}/comments`, values),
    describeSent: () => ({ status: 'success', lines: [] }),
    describeFailure: (failure) => ({ status: 'error', lines: [translateAll(failureTexts, failure)] }),
  })
}
