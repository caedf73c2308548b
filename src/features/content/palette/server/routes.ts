import { z } from 'zod'
import type { Label } from '#src/lib/feature.ts'
import { findEntryKind } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import { filterRows, searchable } from '#src/lib/lists.ts'
import type { FoundEntry } from '#src/lib/schemas.ts'
import { isBlank } from '#src/lib/text/plain-text.ts'
import type { App, Routes } from '#src/server/types.ts'
import type { ServerFeature, Viewer } from '../../server/feature.ts'
import type { PaletteResult } from '../contract.ts'
import { paletteQuery, paletteResult } from '../contract.ts'

const perMinute = { points: 240, seconds: 60 }

/** What the features find for the command palette, each by the rights of who asks, then edited content. */
export const paletteRoutes =
  (features: readonly ServerFeature[]): Routes =>
  async (app) => {
    const schema = { querystring: paletteQuery, response: { 200: z.array(paletteResult) } }
    app.get('/', { config: { access: 'signed-in' }, schema }, async (request) => {
      const { userId, mustSetUpTotp, rights } = request.actor
      await app.limits.take('palette', String(userId), perMinute)
      const search = request.query.q.trim()
      if (isBlank(search) || searchable(search).trim() === '' || mustSetUpTotp) return []
      const viewer = { userId, rights }
      const found = await Promise.all(features.flatMap(({ findInPalette }) => findInPalette?.(app, viewer, search) ?? []))
      return [...found.flat(), ...(await findContent(app, viewer, search))]
    })
  }

const mostOfArea = 3
/** Its feature finds each component, too. */
const ofFeature = 'networks'

/** Edited content, named in both languages; who may not change it is led to its list. */
async function findContent(app: App, { rights }: Viewer, text: string): Promise<PaletteResult[]> {
  const areas = [...new Set(app.contents.map(({ area }) => area))].filter((area) => area !== ofFeature)
  const pages = app.features.flatMap(({ admin = [] }) => admin)
  // The best of each area: a name that matches best in one must not hide those of another. And the name of something else is
  // not what was asked for, however alike.
  const find = (language: Language) =>
    app.staffSearch(rights, { text, limit: mostOfArea, language }, { isFuzzy: false, isPerArea: true })
  const [french, english] = await Promise.all([find('fr'), find('en')])
  return areas.flatMap((area) => {
    const page = pages.find((one) => one.area === area || one.or === area)?.path
    const isSame = (one: FoundEntry, other: FoundEntry) =>
      one.area === other.area && one.kind === other.kind && one.id === other.id
    return french
      .filter((one) => one.area === area)
      .flatMap((one) => {
        const same = english.find((other) => isSame(one, other))
        const key = one.kind ? `${one.kind}/${one.id}` : String(one.id)
        const label = findEntryKind(app.features, area, key)?.label
        if (!page || !label) return []
        return {
          group: area === 'employees' ? ('people' as const) : ('texts' as const),
          label: { fr: one.title, en: same?.title ?? one.title },
          hint: { fr: label.fr.replace('{id}', String(one.id)), en: label.en.replace('{id}', String(one.id)) },
          path: one.path ?? page,
          page,
        }
      })
  })
}

/** Of one kind of entries, as many as a list without scrolling shows. */
const mostOfKind = 5

/** The first rows that contain every word of a search, whatever its accents and capitals. */
export const firstMatches = <Row>(rows: readonly Row[], search: string, textOf: (row: Row) => string) =>
  filterRows(rows, search, textOf).slice(0, mostOfKind)

/** A name that is the same in both languages. */
export const sameName = (name: string): Label => ({ fr: name, en: name })
