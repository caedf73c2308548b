import type { StoredApplicationStatus } from '../values.ts'

export const statusTones = {
  new: 'brand',
  reviewing: 'warn',
  interview: 'warn',
  accepted: 'ok',
  declined: 'neutral',
  suspected: 'err',
} as const satisfies Record<StoredApplicationStatus, string>
