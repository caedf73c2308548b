export const demandKinds = ['access', 'rectification', 'erasure', 'complaint', 'withdrawal'] as const
export type DemandKind = (typeof demandKinds)[number]
