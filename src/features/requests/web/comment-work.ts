import { translateAll } from '#src/lib/localized-text.ts'
import { callApi } from '#src/ui/api.ts'
import { failureTexts } from '#src/ui/failures.ts'
import { createFormWork } from '#src/ui/form-work.ts'
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
