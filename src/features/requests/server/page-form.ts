import { z } from 'zod'
import { translateErrors } from '#src/ui/forms/form-submission.ts'
import type { Failure } from '#src/ui/forms/failures.ts'
import type { FormResult } from '#src/lib/form-result.ts'
import { logger } from '#src/server/log.ts'
import { Limited, Problem } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { RequestReceipt } from '../contract.ts'
import { contactInput, supportInput } from '../contract.ts'
import { storedOutcome, failedOutcome } from '../outcome.ts'
import type { PostedForm } from '../form-values.ts'
import { requestFields } from '../form-values.ts'
import type { Sender } from './receive.ts'
import { submitContact, submitSupport } from './receive.ts'
import { pageFormId, readShownAt, signShownAt } from './form-checks.ts'

type Entries = Record<string, unknown>
/** A posted form with the address, language and page it was sent from. */
type Posted = { data: FormData; from: Omit<Sender, 'isVouchedFor'> }
type Answer = { status: number; retryAfter?: number; form: PostedForm }

/** The forms of pages without JavaScript: the same schema, the same service, an outcome that the page can show. */
export function createPageForms(app: App) {
  const { secret } = app.config

  async function answer<Input>(
    kind: 'support' | 'contact',
    schema: z.ZodObject & z.ZodType<Input>,
    submit: (input: Input, sender: Sender) => Promise<RequestReceipt>,
    { data, from }: Posted,
  ): Promise<Answer> {
    const { shown_at: token, client_id: id, ...entries } = readEntries(data, Object.keys(schema.shape))
    // An unsigned time or a missing id is ignored: the secret can have changed while the page was open.
    const isOurs = typeof token === 'string' && readShownAt(secret, token) !== null
    const clientId = z.uuid().safeParse(id).data ?? null
    const showAgain = (result: FormResult): PostedForm => ({
      ...result,
      values: textsOf(entries),
      // The time goes on from the first showing.
      shownAt: isOurs ? token : signShownAt(secret, Date.now()),
      clientId,
    })
    const fail = (status: number, failure: Failure) => ({
      status,
      form: showAgain({ errors: {}, outcome: failedOutcome(failure) }),
    })

    const parsed = schema.safeParse({ ...entries, ...(isOurs && { shown_at: token }), ...(clientId && { client_id: clientId }) })
    if (!parsed.success) {
      const errors = translateErrors(parsed.error.issues, requestFields[kind])
      return Object.keys(errors).length > 0 ? { status: 400, form: showAgain({ errors, outcome: null }) } : fail(400, 'broken')
    }
    try {
      const { reference, follow } = await submit(parsed.data, { ...from, isVouchedFor: isOurs })
      return {
        status: 200,
        form: { errors: {}, outcome: storedOutcome(kind, reference, follow), values: {}, shownAt: null, clientId: null },
      }
    } catch (error) {
      if (error instanceof Limited) return { ...fail(429, 'limited'), retryAfter: error.retryAfter }
      if (error instanceof Problem) return fail(error.status, 'broken')
      logger.error({ err: error }, 'a posted form failed')
      return fail(500, 'broken')
    }
  }

  return {
    /** What the form of a new page starts with. */
    startForm: (kind: 'support' | 'contact') => ({
      shownAt: signShownAt(secret, Date.now()),
      clientId: pageFormId(secret, kind),
    }),
    submitSupport: (posted: Posted) =>
      answer('support', supportInput, (input, sender) => submitSupport(app, input, sender), posted),
    submitContact: (posted: Posted) =>
      answer('contact', contactInput, (input, sender) => submitContact(app, input, sender), posted),
  }
}

/** A repeated name becomes a list, which no schema takes; a text area's line ends are two characters on the way. */
export function readEntries(data: FormData, known: string[]): Entries {
  // Extensions add fields of their own to a page's form.
  const names = [...new Set(data.keys())].filter((name) => known.includes(name))
  return Object.fromEntries(
    names.map((name) => {
      const all = data.getAll(name).map((value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value))
      return [name, all.length === 1 ? all[0] : all]
    }),
  )
}

export function textsOf(entries: Entries) {
  const texts = Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, value]) => [name, value.replaceAll('\0', '')]))
}
