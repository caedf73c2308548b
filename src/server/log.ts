import { pino } from 'pino'

/** The process's log: one JSON line an event. Secrets and visitors' keys never reach it. */
export const logger = pino({
  level: process.env.LOG_LEVEL || 'info',
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: ['req.headers', 'password', '*.password', 'id_chat', '*.id_chat'], censor: '[hidden]' },
})
