import type { RouterContextProvider } from 'react-router'
import { data } from 'react-router'
import { pageContext } from '#src/ui/page/page-context.ts'
import { readPreferences } from '#src/ui/page/preferences.ts'
import { failedOutcome } from '../outcome.ts'
import type { PostedForm } from '../form-values.ts'

type Action = { request: Request; context: Readonly<RouterContextProvider> }

/** A form posted without JavaScript: the same service as the API's, its outcome for the page to render. */
export async function handleFormPost({ request, context }: Action, kind: 'support' | 'contact') {
  const { services, address } = context.get(pageContext)
  const { startForm, submitSupport, submitContact } = services.requests
  const from = {
    address,
    language: readPreferences(request).language,
    page: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
  }
  const sent = await request.formData().catch(() => null)
  if (!sent) {
    const unreadable: PostedForm = { errors: {}, outcome: failedOutcome('broken'), values: {}, ...startForm(kind) }
    return data(unreadable, { status: 415 })
  }
  const answer = await (kind === 'support' ? submitSupport({ data: sent, from }) : submitContact({ data: sent, from }))
  const headers: Record<string, string> =
    answer.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(answer.retryAfter)) }
  return data(answer.form, { status: answer.status, headers })
}
