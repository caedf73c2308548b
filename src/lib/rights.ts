/** Every area of rights: each feature adds its own by declaration merging, beside its `defineFeature`. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- it is filled elsewhere
export interface Areas {}
export type Area = keyof Areas

export const levels = ['none', 'read_only', 'read_write', 'administrator'] as const
export type Level = (typeof levels)[number]
export type GivenLevel = Exclude<Level, 'none'>

/** A missing area means `none`. */
export type Rights = Partial<Record<Area, Level>>

/** True where the rights on an area reach a level. */
export function hasRight(rights: Rights, area: Area, level: Level) {
  return levels.indexOf(rights[area] ?? 'none') >= levels.indexOf(level)
}

/** All areas, with `none` filled in, as the API returns rights. */
export function completeRights(areas: readonly Area[], rights: Rights) {
  return Object.fromEntries(areas.map((area) => [area, rights[area] ?? 'none'])) as Record<Area, Level>
}

export function everyRight(areas: readonly Area[]) {
  return Object.fromEntries(areas.map((area) => [area, 'administrator'])) as Record<Area, Level>
}

/** True where one set of rights covers another: a user may not grant rights that they do not have. */
export function coversRights(own: Rights, given: Rights) {
  return Object.entries(given).every(([area, level]) => hasRight(own, area as Area, level))
}
