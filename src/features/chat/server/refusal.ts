import type { z } from 'zod'
import { Problem, Conflict, NotFound } from '#src/server/problems.ts'
import { logger } from '#src/server/log.ts'
import type { ChatAnswer, ChatErrorCode, ChatFailure, ChatRefused } from '../protocol.ts'

/** Refuses a socket event; its code and message go to the client. */
export class ChatRefusal extends Error {
  readonly code: ChatErrorCode
  /** The colleague because of whom it is refused. */
  readonly userName: string | undefined

  constructor(code: ChatErrorCode, message: string, userName?: string) {
    super(message)
    this.code = code
    this.userName = userName
  }
}

const byStatus: Record<number, ChatErrorCode> = { 401: 'not_connected', 403: 'forbidden', 404: 'unknown_chat', 429: 'limited' }

function failureOf(error: unknown, event: string): ChatFailure {
  if (error instanceof ChatRefusal) {
    const { code, message, userName } = error
    return { ok: false, error: { code, message, ...(userName ? { user_name: userName } : {}) } }
  }
  if (error instanceof Problem) {
    const { status, message, retryAfter } = error
    const wait = retryAfter === undefined ? {} : { retry_after: Math.max(1, Math.ceil(retryAfter)) }
    return { ok: false, error: { code: byStatus[status] ?? 'invalid', message, ...wait } }
  }
  logger.error({ err: error, event }, 'socket event failed')
  return { ok: false, error: { code: 'broken', message: 'Something went wrong on our side.' } }
}

type AnswerOptions<Result extends object> = {
  /** Called with the milliseconds it took, where it succeeded. */
  onDone?: (milliseconds: number) => void
  /** For a client that passes no acknowledgement callback. */
  withoutCallback?: { reply?: (result: Result) => void; refuse: (error: ChatRefused, input: unknown) => void }
}

/**
 * The listener of one event: validates the payload, runs the handler and acknowledges. Nothing that a client sends can
 * throw out of it.
 */
export function handleEvent<Schema extends z.ZodType, Result extends object>(
  event: string,
  schema: Schema,
  handle: (input: z.output<Schema>) => Promise<Result | void>,
  { onDone, withoutCallback }: AnswerOptions<Result> = {},
) {
  return (...received: unknown[]) => {
    const last = received.at(-1)
    const callback = typeof last === 'function' ? (last as (answer: ChatAnswer<object>) => void) : undefined
    const refuse = (failure: ChatFailure) => (callback ? callback(failure) : withoutCallback?.refuse(failure.error, received[0]))
    const parsed = schema.safeParse(received[0])
    if (!parsed.success) {
      const fields = [...new Set(parsed.error.issues.flatMap(({ path }) => (typeof path[0] === 'string' ? [path[0]] : [])))]
      return refuse({ ok: false, error: { code: 'invalid', message: 'This message is not valid.', fields } })
    }
    const begun = performance.now()
    handle(parsed.data).then(
      (result) => {
        if (callback) callback({ ok: true, ...result })
        else if (result) withoutCallback?.reply?.(result)
        onDone?.(performance.now() - begun)
      },
      (error: unknown) => {
        refuse(failureOf(error, event))
      },
    )
  }
}

const conflicts: ReadonlySet<ChatErrorCode> = new Set(['closed', 'taken', 'answered'])

/** Turns a chat's refusal into the general error of an HTTP route. */
export async function asHttpProblem<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChatRefusal) throw conflicts.has(error.code) ? new Conflict(error.message) : new NotFound(error.message)
    throw error
  }
}
