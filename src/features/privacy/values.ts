export const demandKinds = ['access', 'rectification', 'erasure', 'complaint', 'withdrawal'] as const
export type DemandKind = (typeof demandKinds)[number]

/** Of words that are too short to search for, or signs alone. */
export const noSearch = 'no search'
