/** Areas of the administration and levels of right on each (docs/api.md#rights). */
export const areas = [
  'employees',
  'jobs',
  'networks',
  'notes',
  'home',
  'requests',
  'chat',
  'recordings',
  'users',
  'groups',
  'updates',
  'audit',
] as const
export type Area = (typeof areas)[number]

export const levels = ['none', 'read_only', 'read_write', 'administrator'] as const
export type Level = (typeof levels)[number]

export type Rights = Record<Area, Level>

export const everyRight = Object.fromEntries(areas.map((area) => [area, 'administrator'])) as Rights

/** True where the rights on an area reach a level. */
export function hasRight(rights: Rights, area: Area, level: Level) {
  return levels.indexOf(rights[area] ?? 'none') >= levels.indexOf(level)
}

/** Every area named, `none` where nothing was said. */
export function completeRights(rights: Partial<Rights>): Rights {
  return Object.fromEntries(areas.map((area) => [area, rights[area] ?? 'none'])) as Rights
}

/** True where one set of rights covers another: nobody may give rights that they do not hold. */
export function coversRights(own: Rights, given: Partial<Rights>) {
  return areas.every((area) => hasRight(own, area, given[area] ?? 'none'))
}
