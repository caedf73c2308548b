/** True where two form values are equal. */
export function isSame(one: unknown, other: unknown) {
  return Object.is(one, other) || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}

/** Three-way merge: applies the changes made from `base` to `mine` on top of `theirs`. */
export function mergeChanges<Values extends object>(base: Values, mine: Values, theirs: Values): Values {
  const changed = Object.entries(mine).filter(([key, value]) => !isSame(value, base[key as keyof Values]))
  return { ...theirs, ...Object.fromEntries(changed) }
}
