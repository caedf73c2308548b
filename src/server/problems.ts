import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from './database/database.ts'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'

export type FieldError = { path: string; message: string }

/** An error shown to the caller; any other becomes a plain 500. */
export class Problem extends Error {
  readonly status: number
  readonly title: string
  /** Distinguishes problems with the same status. */
  readonly type: string
  readonly errors: FieldError[] | undefined
  readonly retryAfter: number | undefined
  /** Extra members of the problem document, such as the stored entry of a conflict. */
  readonly extra: Record<string, unknown> | undefined

  constructor(
    status: number,
    title: string,
    detail: string,
    more: { type?: string; errors?: FieldError[]; retryAfter?: number; extra?: Record<string, unknown> } = {},
  ) {
    super(detail)
    this.status = status
    this.title = title
    this.type = more.type ?? 'about:blank'
    this.errors = more.errors
    this.retryAfter = more.retryAfter
    this.extra = more.extra
  }
}

export class Invalid extends Problem {
  constructor(detail: string, errors: FieldError[] = []) {
    super(400, 'Invalid', detail, { errors })
  }
}
export class NotConnected extends Problem {
  constructor(detail = 'Sign in first.', errors?: FieldError[]) {
    super(401, 'Not connected', detail, errors ? { errors } : {})
  }
}
export class Forbidden extends Problem {
  constructor(detail = 'You do not have the right to do this.') {
    super(403, 'Forbidden', detail)
  }
}
export class NotFound extends Problem {
  constructor(detail = 'There is nothing at this address.') {
    super(404, 'Not found', detail)
  }
}
export class Conflict extends Problem {
  constructor(detail: string, extra?: Record<string, unknown>) {
    super(409, 'Conflict', detail, extra ? { extra } : {})
  }
}
export class Unusable extends Problem {
  constructor(detail: string) {
    super(422, 'Unusable file', detail)
  }
}
export class Limited extends Problem {
  constructor(retryAfter: number, detail = 'Too many attempts. Try again later.') {
    super(429, 'Too many requests', detail, { retryAfter })
  }
}
export class NotReady extends Problem {
  constructor(detail = 'The service is not ready. Try again in a moment.') {
    super(503, 'Not ready', detail, { retryAfter: 5 })
  }
}

export class StorageFull extends Problem {
  constructor() {
    super(507, 'Storage full', 'The server disk is full: nothing was saved. Notify the server administrator.')
  }
}

/** Codes of the system and of PostgreSQL for a full disk or an exceeded quota. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])

const knownTitles: Record<number, string> = {
  400: 'Invalid',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'Too large',
  415: 'Wrong type',
  429: 'Too many requests',
  431: 'Too large',
}

/** Converts any error into problem details (RFC 9457). */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isResponseSerializationError(error)) return new Problem(500, 'Internal error', 'Something went wrong on our side.')
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map((issue) => ({
      path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: issue.message ?? 'invalid',
    }))
    return new Invalid('Some values are not valid.', errors)
  }
  if (isDiskFull(error)) return new StorageFull()
  if (isDatabaseAway(error)) return new NotReady()
  const status = (error as FastifyError).statusCode
  if (status && status >= 400 && status < 500) {
    return new Problem(status, knownTitles[status] ?? 'Invalid', publicDetail(status))
  }
  return new Problem(500, 'Internal error', 'Something went wrong on our side.')
}

/** The database driver wraps the error. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && fullCodes.has(String(error.code))) || isDiskFull(error.cause)
}

function publicDetail(status: number) {
  if (status === 413 || status === 431) return 'The request is too large.'
  if (status === 415) return 'This type of content is not accepted here.'
  if (status === 429) return 'Too many requests. Try again later.'
  return 'The request is malformed.'
}

export function sendProblem(reply: FastifyReply, problem: Problem) {
  if (problem.retryAfter !== undefined) void reply.header('retry-after', Math.max(1, Math.ceil(problem.retryAfter)))
  // Sent as text, because the response schemas of routes describe successes only.
  return reply
    .code(problem.status)
    .type('application/problem+json; charset=utf-8')
    .serializer((body: unknown) => body as string)
    .send(
      JSON.stringify({
        type: problem.type,
        title: problem.title,
        status: problem.status,
        detail: problem.message,
        ...(problem.errors ? { errors: problem.errors } : {}),
        ...problem.extra,
      }),
    )
}

/** The error handler: the caller gets the problem, the log gets the cause. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(error)
  if (problem.status >= 500) request.log.error({ err: error }, 'request failed')
  else logRefusal(request, problem)
  return sendProblem(reply, problem)
}

/** Logs the caller's address and the reason, never the input, so that repeated attempts are visible. */
function logRefusal(request: FastifyRequest, { status, message, errors }: Problem) {
  const { method, routeOptions } = request
  // Node detaches the socket of a request whose body was not read.
  const socket = request.raw.socket as Socket | null
  const address = socket ? request.ip : undefined
  request.log.info({ status, detail: message, errors, method, route: routeOptions.url, address }, 'request refused')
}
