/** What visits are counted by. */
export const visitKinds = ['page', 'referrer', 'campaign', 'language', 'screen'] as const
export type VisitKind = (typeof visitKinds)[number]
export const visitGroups = ['day', ...visitKinds] as const

export const visitFields = ['views', 'visits', 'forms', 'forms_begun', 'chats', 'chats_begun'] as const
export type VisitField = (typeof visitFields)[number]

/** What is not among the most seen of a day. */
export const otherKey = 'other'
/** Most seen keys of a day and kind; while the day lasts more are stored, since one may still rise. */
export const mostKeys = 500
export const mostKeysToday = 2_000
export const visitMonths = 25
export const beaconPath = '/public_api/visits'
export const longestPath = 300
