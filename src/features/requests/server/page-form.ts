import type { z } from 'zod'
import { translateErrors } from '#src/ui/translate-errors.ts'
import type { Failure } from '#src/ui/failures.ts'
import type { FormAnswer } from '#src/lib/form-answer.ts'
import { logger } from '#src/server/log.ts'
import { Limited, Problem } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { RequestReceipt } from '../contract.ts'
import { contactInput, supportInput } from '../contract.ts'
import { sayArrived, sayFailed } from '../outcome.ts'
import type { PostedForm } from '../values.ts'
import { minimumFillMs, requestFields } from '../values.ts'
import type { Sender } from './service.ts'
import { submitContact, submitSupport } from './service.ts'
import { readShownAt, signShownAt } from './shown-at.ts'

type Entries = Record<string, unknown>
type Answer = { status: number; retryAfter?: number; form: PostedForm }

/** The forms of pages without JavaScript: the same schema, the same service, an outcome that the page can show. */
export function createPageForms(app: App) {
  const { secret } = app.config

  async function answer<Input>(
    kind: 'support' | 'contact',
    schema: z.ZodType<Input>,
    submit: (input: Input) => Promise<RequestReceipt>,
    data: FormData,
  ): Promise<Answer> {
    const entries = readEntries(data)
    const showAgain = (told: FormAnswer): PostedForm => ({
      ...told,
      values: textsOf(entries),
      shownAt: shownAtAgain(secret, entries.shown_at),
    })
    const fail = (status: number, failure: Failure) => ({ status, form: showAgain({ errors: {}, outcome: sayFailed(failure) }) })

    const parsed = schema.safeParse(entries)
    if (!parsed.success) {
      const errors = translateErrors(parsed.error.issues, requestFields[kind])
      return Object.keys(errors).length > 0 ? { status: 400, form: showAgain({ errors, outcome: null }) } : fail(400, 'broken')
    }
    // A page always carries it; without it nobody can say how long the form was in sight.
    if (entries.shown_at === undefined) return fail(400, 'broken')
    try {
      const { reference } = await submit(parsed.data)
      return { status: 200, form: { errors: {}, outcome: sayArrived(kind, reference), values: {}, shownAt: null } }
    } catch (error) {
      if (error instanceof Limited) return { ...fail(429, 'limited'), retryAfter: error.retryAfter }
      if (error instanceof Problem) return fail(error.status, 'broken')
      logger.error({ err: error }, 'a posted form failed')
      return fail(500, 'broken')
    }
  }

  return {
    signShownAt: () => signShownAt(secret, Date.now()),
    submitSupport: (data: FormData, sender: Sender) =>
      answer('support', supportInput, (input) => submitSupport(app, input, sender), data),
    submitContact: (data: FormData, sender: Sender) =>
      answer('contact', contactInput, (input) => submitContact(app, input, sender), data),
  }
}

/** A repeated name becomes a list, which no schema takes; a text area's line ends are two characters on the way. */
function readEntries(data: FormData): Entries {
  return Object.fromEntries(
    [...new Set(data.keys())].map((name) => {
      const all = data.getAll(name).map((value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value))
      return [name, all.length === 1 ? all[0] : all]
    }),
  )
}

function textsOf(entries: Entries) {
  const texts = Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, value]) => [name, value.replaceAll('\0', '')]))
}

/** The time goes on from the first showing; a person who must send again at once is not taken for a robot. */
function shownAtAgain(secret: string, token: unknown) {
  const isOurs = typeof token === 'string' && readShownAt(secret, token) !== null
  return isOurs ? token : signShownAt(secret, Date.now() - minimumFillMs)
}
