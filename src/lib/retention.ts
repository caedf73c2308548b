/** How long something is stored. */
export type Period = { count: number; unit: 'days' | 'months' }

/** Every kind with a period that administrators choose, in the order of its table. */
export const retentionKinds = [
  'requests',
  'inbox',
  'chats',
  'recordings',
  'applications',
  'mails',
  'subscribers',
  'push_devices',
  'incidents',
  'journal',
] as const
export type RetentionKind = (typeof retentionKinds)[number]
