import { z } from 'zod'

/** Areas of the administration and levels of right on each (contract.md 4). */
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

export const rightsSchema = z.record(z.enum(areas), z.enum(levels))
export type Rights = z.infer<typeof rightsSchema>

export const everyRight = Object.fromEntries(areas.map((area) => [area, 'administrator'])) as Rights

/** True where the rights on an area reach a level. */
export function hasRight(rights: Rights, area: Area, level: Level) {
  return levels.indexOf(rights[area] ?? 'none') >= levels.indexOf(level)
}
