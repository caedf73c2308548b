import { getJson } from '#src/ui/api.ts'
import type { Language } from '#src/lib/language/language.ts'
import { reloads } from '#src/ui/live/live-areas.ts'
import { trustHtml } from '#src/ui/rich-text/trusted-html.ts'
import type { StatusChanges, StatusPage } from '../server/overview.ts'

/*
 * Loaded with the first live change: what changed in an open status page.
 */

/** `networks` and others are missing where the document has them; `show` puts in what changed since. */
export type PageParts = Omit<StatusPage, 'networks' | 'history' | 'subscribe'> &
  Partial<StatusPage> & { show?: (holder: HTMLElement) => void; loaded?: number }

const longestKnown = 12_000

let loading: { of: number; changes: Promise<StatusChanges> } | undefined

/** Once for the page and the layout around it, which load at the same time; again for each live change. */
function loadChanges(language: Language, { hashes }: PageParts) {
  if (loading?.of === reloads.count) return loading.changes
  const all = Object.entries(hashes).flat().join('.')
  // Too long for an address: the page loads itself again.
  const known = all.length < longestKnown ? all : ''
  const changes = getJson<StatusChanges>(`/api/networks/status_changes?lang=${language}&known=${known}`)
  loading = { of: reloads.count, changes }
  return changes
}

export const loadSummary = async (language: Language, page: PageParts) => (await loadChanges(language, page)).summary

/** The page with what changed in it; null where it must be loaded again. */
export async function updateStatusPage(language: Language, page: PageParts): Promise<PageParts | null> {
  const { isOutdated, sections, gone, hashes, summary: _, ...parts } = await loadChanges(language, page)
  if (isOutdated) return null
  const left = Object.entries(page.hashes).filter(([name]) => !gone.includes(name))
  const show = (holder: HTMLElement) => replaceNetworks(holder, sections, gone)
  return { ...page, ...parts, hashes: { ...Object.fromEntries(left), ...hashes }, show }
}

/** Leaves the networks that did not change alone, with their focus and what is unfolded. */
function replaceNetworks(holder: HTMLElement, sections: StatusChanges['sections'], gone: readonly string[]) {
  const find = (id: number | string | null) => holder.querySelector(`[data-net="${id}"]`)
  const list = holder.querySelector('[data-first]')
  for (const id of gone) find(id)?.remove()
  // From the end: each is put before one that is in its place.
  for (const { id, before, html } of sections.toReversed()) {
    find(id)?.remove()
    const template = document.createElement('template')
    template.innerHTML = trustHtml(html)
    list?.insertBefore(template.content, find(before))
  }
}
