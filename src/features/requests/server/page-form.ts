import type { z } from 'zod'
import { logger } from '#src/server/log.ts'
import { Limited, Problem } from '#src/server/problems.ts'
import type { App } from '#src/server/types.ts'
import type { RequestReceipt } from '../contract.ts'
import { contactInput, supportInput } from '../contract.ts'
import type { PostedForm } from '../values.ts'
import { minimumFillMs } from '../values.ts'
import type { Sender } from './service.ts'
import { submitContact, submitSupport } from './service.ts'
import { readShownAt, signShownAt } from './shown-at.ts'

type Entries = Record<string, unknown>
type Answer = { status: number; retryAfter?: number; form: PostedForm }

/** The forms of pages without JavaScript: the same schema, the same service, an outcome that the page can show. */
export function createPageForms(app: App) {
  const { secret } = app.config

  async function answer<Input>(
    schema: z.ZodType<Input>,
    submit: (input: Input, sender: Sender) => Promise<RequestReceipt>,
    data: FormData,
    sender: Sender,
  ): Promise<Answer> {
    const entries = readEntries(data)
    const refuse = (status: number, failure: 'invalid' | 'limited' | 'broken', errors: Record<string, string> = {}) => ({
      status,
      form: { failure, errors, values: shownAgain(entries), shownAt: shownAtAgain(secret, entries.shown_at) },
    })
    const parsed = schema.safeParse(entries)
    if (!parsed.success) {
      return refuse(
        400,
        'invalid',
        Object.fromEntries(parsed.error.issues.toReversed().map((issue) => [String(issue.path[0]), issue.message])),
      )
    }
    // A page always carries it; without it nobody can say how long the form was in sight.
    if (entries.shown_at === undefined) return refuse(400, 'broken')
    try {
      return { status: 200, form: await submit(parsed.data, sender) }
    } catch (error) {
      if (error instanceof Limited) return { ...refuse(429, 'limited'), retryAfter: error.retryAfter }
      if (error instanceof Problem) return refuse(error.status, 'broken')
      logger.error({ err: error }, 'a posted form failed')
      return refuse(500, 'broken')
    }
  }

  return {
    signShownAt: () => signShownAt(secret, Date.now()),
    submitSupport: (data: FormData, sender: Sender) =>
      answer(supportInput, (input, from) => submitSupport(app, input, from), data, sender),
    submitContact: (data: FormData, sender: Sender) =>
      answer(contactInput, (input, from) => submitContact(app, input, from), data, sender),
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

function shownAgain(entries: Entries) {
  const texts = Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, value]) => [name, value.replaceAll('\0', '')]))
}

/** The time goes on from the first showing; a person who must send again at once is not taken for a robot. */
function shownAtAgain(secret: string, token: unknown) {
  const isOurs = typeof token === 'string' && readShownAt(secret, token) !== null
  return isOurs ? token : signShownAt(secret, Date.now() - minimumFillMs)
}
