/** Values that the pages need without the schemas. */
export const monitorKinds = ['http', 'tcp', 'dns', 'ping', 'certificate', 'signal'] as const
export type MonitorKind = (typeof monitorKinds)[number]
/** `unknown`: not checked yet, or the check itself could not be made. */
export const monitorStates = ['unknown', 'up', 'degraded', 'down'] as const
export type MonitorState = (typeof monitorStates)[number]

/** Why a result is not `up`; `detail` completes it, such as the status of a response. */
export const resultReasons = [
  'timeout',
  'refused',
  'unreachable',
  'name',
  'forbidden',
  'redirect',
  'status',
  'text',
  'address',
  'certificate',
  'expires',
  'no answer',
  'silent',
  'signal',
  'impossible',
  'no program',
] as const
export type ResultReason = (typeof resultReasons)[number]

export const monitorPeriods = ['day', 'month', 'year'] as const
export type MonitorPeriod = (typeof monitorPeriods)[number]

/** Days before the end of a certificate from which it counts as degraded. */
export const usualDaysLeft = 14
export const usual = { interval_s: 60, timeout_ms: 5_000 } as const
/** A lost packet must not look like an outage; who sends a signal has checked already. */
export const usualFailures = (kind: MonitorKind) => (kind === 'signal' ? 1 : 3)
/** A public outage is resolved after so long without a failure. */
export const quietMs = 5 * 60_000
