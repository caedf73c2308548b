import { z } from 'zod'
import { failedOutcome, storedOutcome } from '#src/features/requests/outcome.ts'
import type { PostedForm } from '#src/features/requests/form-values.ts'
import { pageFormId, readShownAt, signShownAt } from '#src/features/requests/server/form-checks.ts'
import { readEntries, textsOf } from '#src/features/requests/server/page-form.ts'
import type { Sender } from '#src/features/requests/server/receive.ts'
import type { FormResult } from '#src/lib/form-result.ts'
import { logger } from '#src/server/log.ts'
import { Limited, Problem } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import { translateErrors } from '#src/ui/forms/form-submission.ts'
import { applicationInput } from '../contract.ts'
import { applicationFields } from '../values.ts'
import type { SentFile } from './receive.ts'
import { receiveApplication } from './receive.ts'

type Posted = { data: FormData; from: Omit<Sender, 'isVouchedFor'> }
type Answer = { status: number; retryAfter?: number; form: PostedForm }

/** The form of a posting without JavaScript: the same schema and service, an outcome that the page can show. */
export function createApplicationForm(app: App) {
  const { secret } = app.config
  const start = () => ({ shownAt: signShownAt(secret, Date.now()), clientId: pageFormId(secret, 'application') })

  async function submit(jobId: number, { data, from }: Posted): Promise<Answer> {
    const { shown_at: token, client_id: id, ...entries } = readEntries(data, Object.keys(applicationInput.shape))
    const isOurs = typeof token === 'string' && readShownAt(secret, token) !== null
    const clientId = z.uuid().safeParse(id).data ?? null
    const showAgain = (result: FormResult): PostedForm => ({
      ...result,
      values: textsOf(entries),
      shownAt: isOurs ? token : signShownAt(secret, Date.now()),
      clientId,
    })
    const parsed = applicationInput.safeParse({
      ...entries,
      ...(isOurs && { shown_at: token }),
      ...(clientId && { client_id: clientId }),
    })
    if (!parsed.success) {
      const errors = translateErrors(parsed.error.issues, applicationFields)
      const outcome = Object.keys(errors).length > 0 ? null : failedOutcome('broken')
      return { status: 400, form: showAgain({ errors, outcome }) }
    }
    try {
      const sent = { input: parsed.data, files: await readFiles(data), sender: { ...from, isVouchedFor: isOurs } }
      const reference = await receiveApplication(app, jobId, sent)
      const outcome = storedOutcome('application', reference, null)
      return { status: 200, form: { errors: {}, outcome, values: {}, shownAt: null, clientId: null } }
    } catch (error) {
      const outcome = failedOutcome(error instanceof Limited ? 'limited' : 'broken')
      if (error instanceof Limited)
        return { status: 429, retryAfter: error.retryAfter ?? 60, form: showAgain({ errors: {}, outcome }) }
      if (error instanceof Problem) {
        const issues = (error.errors ?? []).map(({ path, message }) => ({ path: [path], message }))
        const errors = translateErrors(issues, applicationFields)
        return { status: error.status, form: showAgain({ errors, outcome: issues.length > 0 ? null : outcome }) }
      }
      logger.error({ err: error }, 'a posted application failed')
      return { status: 500, form: showAgain({ errors: {}, outcome }) }
    }
  }

  return { start, submit }
}

/** A file field that was left empty is a file without name and content. */
async function readFiles(data: FormData): Promise<SentFile[]> {
  const files = data.getAll('files').filter((value): value is File => typeof value !== 'string')
  const sent = files.filter(({ name, size }) => name !== '' || size > 0)
  return Promise.all(sent.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })))
}
