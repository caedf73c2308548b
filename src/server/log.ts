import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'

const isCommand = process.env.GUICHET_COMMAND === '1'

/** The log of the process: one JSON line an event, without secrets, visitors' keys and people's data. */
export const logger = pino(
  {
    level: findLevel(),
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['req.headers', 'password', '*.password', 'id_chat', '*.id_chat'], censor: '[hidden]' },
    serializers: {
      err: (error: unknown) => describeError(error),
      reason: (reason: unknown) => (typeof reason === 'string' ? hideValues(reason) : reason),
    },
    // On stdout a command writes nothing but its result.
  },
  pino.destination({ dest: isCommand ? 2 : 1, sync: true }),
)

/** An unknown level is reported by the configuration, in words. */
function findLevel() {
  const given = process.env.LOG_LEVEL || (isCommand ? 'error' : 'info')
  return given in pino.levels.values || given === 'silent' ? given : 'info'
}

type Described = Record<string, unknown>

/** Fields of PostgreSQL errors that never hold a value of a row. */
const databaseFields = ['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'] as const
const systemFields = ['code', 'errno', 'syscall', 'statusCode', 'responseCode', 'command'] as const
const mostCauses = 5
const longestStatement = 1_000

/**
 * What of an error is logged is an allow-list: errors of the database hold the values of the statement, those of a lost
 * connection the whole client with its keys.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? hideValues(error) : `not an error: ${typeof error}`
  const known = error as Error & Record<string, unknown>
  const fields = [...systemFields, ...(isOfDatabase(known) ? databaseFields : [])]
  const described: Described = { type: error.constructor.name, message: messageOf(error) }
  for (const field of fields) {
    const value = known[field]
    if (typeof value === 'number' || typeof value === 'string') described[field] = value
  }
  if (error instanceof DrizzleQueryError) described['statement'] = error.query.slice(0, longestStatement)
  described['stack'] = framesOf(error)
  if (depth >= mostCauses) return described
  if (error.cause !== undefined) described['cause'] = describeError(error.cause, depth + 1)
  if (error instanceof AggregateError)
    described['errors'] = error.errors.slice(0, mostCauses).map((one) => describeError(one, depth + 1))
  return described
}

const isOfDatabase = (error: Record<string, unknown>) =>
  typeof error['routine'] === 'string' && typeof error['severity'] === 'string'

/** The message for people, with the reason of the database and without the values of the statement. */
export function summarizeError(error: unknown) {
  const cause = error instanceof DrizzleQueryError ? error.cause : undefined
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`
}

function messageOf(given: unknown) {
  if (!(given instanceof Error)) return hideValues(String(given))
  const error = given as Error & Record<string, unknown>
  if (error instanceof DrizzleQueryError) return 'Failed query'
  // Errors of data (class 22 of the SQL standard) quote the value after a colon, those of a parser in quotes.
  if (isOfDatabase(error) && String(error['code']).startsWith('22')) return error.message.replace(/:.*$/su, '')
  if (error instanceof SyntaxError) return error.message.replaceAll(/"[^]*"|'[^']*'/gu, '[hidden]')
  return hideValues(error.message)
}

/** A mail server names the recipients that it refuses. */
function hideValues(text: string) {
  return text.replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/gu, '[address]')
}

/** The stack begins with the message, which may have several lines. */
function framesOf({ stack = '' }: Error) {
  return (stack.match(/^ +at .*$/gmu) ?? []).map((frame) => frame.trim()).join('\n')
}
