import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { Area } from '#src/lib/rights.ts'

/** Areas being reloaded; `null` means all. Empty while nothing reloads. */
const changed = new Set<Area | null>()

/** Of live changes: what is loaded for one must not be taken for the next. */
export const reloads = { count: 0 }

/** Reloads the data of this area on the open page. */
export async function revalidateArea(area: Area | null, revalidate: () => Promise<void>) {
  // The router aborts a revalidation when another starts, so the later one reloads the areas of both.
  changed.add(area)
  reloads.count += 1
  await revalidate()
  changed.clear()
}

export const isLiveChange = () => changed.size > 0

/** False where a live change leaves the data of this area as it is. */
export const isReloaded = (area: Area) => changed.has(null) || changed.has(area)

/** Set by a page whose own data has the network summary, which the layout would request beside it. */
export const summaryOfPage: { load?: (() => Promise<unknown>) | undefined } = {}

/**
 * `shouldRevalidate` of a public page: after a live change it reloads only if it shows one of these areas; never where none is
 * named.
 */
export function revalidateOn(...areas: Area[]) {
  return ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) => {
    const isKnown = changed.size > 0 && !changed.has(null) && currentUrl.href === nextUrl.href
    return isKnown ? areas.some((area) => changed.has(area)) : defaultShouldRevalidate
  }
}
