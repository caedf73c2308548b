import type { Pair } from '#src/lib/english-age.ts'

/** A posting opens and closes itself by its dates. */
export const jobStates = ['planned', 'open', 'closed'] as const

export const jobPairs = [
  ['titre', 'titre_en'],
  ['description', 'description_en'],
] as const satisfies readonly Pair[]
