import type { AdminPage, MenuGroup } from '#src/lib/feature.ts'
import { menuGroups } from '#src/lib/feature.ts'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { features } from '../features.ts'

export type MenuSection = { group: MenuGroup; pages: AdminPage[] }

/** Menu entries that a user may open, without empty sections. */
export function menuFor(rights: Rights): MenuSection[] {
  const open = features
    .flatMap(({ admin = [] }) => admin)
    .filter(({ area, or, level = 'read_only' }) => hasRight(rights, area, level) || (or && hasRight(rights, or, level)))
  return menuGroups
    .map((group) => ({ group, pages: open.filter((page) => page.group === group) }))
    .filter(({ pages }) => pages.length > 0)
}
