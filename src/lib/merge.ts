/** Whether two values of a form say the same. */
export function isSame(one: unknown, other: unknown) {
  return Object.is(one, other) || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}

/** Applies one's own changes to what another person saved meanwhile; `base` is what both started from. */
export function mergeChanges<Values extends object>(base: Values, mine: Values, theirs: Values): Values {
  const changed = Object.entries(mine).filter(([key, value]) => !isSame(value, base[key as keyof Values]))
  return { ...theirs, ...Object.fromEntries(changed) }
}
