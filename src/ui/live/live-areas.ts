import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { Area } from '#src/lib/rights.ts'

/** Areas whose change is being loaded; `null` among them where any may have changed. Empty while no change is. */
const changed = new Set<Area | null>()

/** Loads again what the routes of the open page show of this area. */
export async function revalidateArea(area: Area | null, revalidate: () => Promise<void>) {
  // The router drops a revalidation that another one interrupts, so the later one loads the areas of both.
  changed.add(area)
  await revalidate()
  changed.clear()
}

/**
 * The `shouldRevalidate` of a public page: after a change elsewhere it loads again only what shows one of these areas,
 * and nothing where none is named.
 */
export function revalidateOn(...areas: Area[]) {
  return ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) => {
    const isLiveChange = changed.size > 0 && !changed.has(null) && currentUrl.href === nextUrl.href
    return isLiveChange ? areas.some((area) => changed.has(area)) : defaultShouldRevalidate
  }
}
