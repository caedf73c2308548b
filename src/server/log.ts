import { pino } from 'pino'

/** The log of the process: one JSON line an event, without secrets and visitors' keys. */
export const logger = pino({
  level: process.env.LOG_LEVEL || 'info',
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: ['req.headers', 'password', '*.password', 'id_chat', '*.id_chat'], censor: '[hidden]' },
})
