import type { RouterContextProvider } from 'react-router'
import { data } from 'react-router'
import { failedOutcome } from '#src/features/requests/outcome.ts'
import type { PostedForm } from '#src/features/requests/form-values.ts'
import { pageContext } from '#src/ui/page/page-context.ts'
import { readPreferences } from '#src/ui/page/preferences.ts'

type Action = { request: Request; context: Readonly<RouterContextProvider> }

/** The form of a posting, posted without JavaScript. */
export async function handleApplicationPost({ request, context }: Action, jobId: number) {
  const { services, address } = context.get(pageContext)
  const { start, submit } = services.applications
  const from = {
    address,
    language: readPreferences(request).language,
    page: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
  }
  const sent = await request.formData().catch(() => null)
  if (!sent) {
    const unreadable: PostedForm = { errors: {}, outcome: failedOutcome('broken'), values: {}, ...start() }
    return data(unreadable, { status: 415 })
  }
  const { status, retryAfter, form } = await submit(jobId, { data: sent, from })
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }
  return data(form, { status, headers })
}
