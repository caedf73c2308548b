import type { AdminPage, MenuGroup } from '#src/lib/feature.ts'
import { menuGroups } from '#src/lib/feature.ts'
import type { Rights } from '#src/lib/rights.ts'
import { hasRight } from '#src/lib/rights.ts'
import { features } from '../features.ts'

export type MenuSection = { group: MenuGroup; pages: AdminPage[] }

const openPages = (rights: Rights) =>
  features
    .flatMap(({ admin = [] }): readonly AdminPage[] => admin)
    .filter(({ area, or, level = 'read_only' }) => hasRight(rights, area, level) || (or && hasRight(rights, or, level)))

/** The pages with a button on the landing screen, of those that a user may open. */
export const mainPages = (rights: Rights) => openPages(rights).filter(({ panel }) => panel.isMain)

/** Menu entries that a user may open, without empty sections. */
export function menuFor(rights: Rights): MenuSection[] {
  const open = openPages(rights)
  return menuGroups
    .map((group) => ({ group, pages: open.filter((page) => page.group === group) }))
    .filter(({ pages }) => pages.length > 0)
}
