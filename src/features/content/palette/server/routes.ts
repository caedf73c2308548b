import { z } from 'zod'
import type { Label } from '#src/lib/feature.ts'
import { findEntryKind } from '#src/lib/feature.ts'
import type { Language } from '#src/lib/language/language.ts'
import { filterRows, searchable } from '#src/lib/lists.ts'
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
  // Area by area: a name that matches best in one must not hide those of another.
  const found = await Promise.all(
    areas.map(async (area) => {
      // The name of something else is not what was asked for, however alike.
      const wanted = { text, limit: mostOfArea, area, isFuzzy: false }
      const find = (language: Language) => app.staffSearch(rights, { ...wanted, language })
      const [french, english] = await Promise.all([find('fr'), find('en')])
      const page = pages.find((one) => one.area === area || one.or === area)?.path
      return french.flatMap(({ kind, id, title, path }) => {
        const same = english.find((one) => one.kind === kind && one.id === id)
        const label = findEntryKind(app.features, area, kind ? `${kind}/${id}` : String(id))?.label
        if (!page || !label) return []
        return {
          group: area === 'employees' ? ('people' as const) : ('texts' as const),
          label: { fr: title, en: same?.title ?? title },
          hint: { fr: label.fr.replace('{id}', String(id)), en: label.en.replace('{id}', String(id)) },
          path: path ?? page,
          page,
        }
      })
    }),
  )
  return found.flat()
}

/** Of one kind of entries, as many as a list without scrolling shows. */
const mostOfKind = 5

/** The first rows that contain every word of a search, whatever its accents and capitals. */
export const firstMatches = <Row>(rows: readonly Row[], search: string, textOf: (row: Row) => string) =>
  filterRows(rows, search, textOf).slice(0, mostOfKind)

/** A name that is the same in both languages. */
export const sameName = (name: string): Label => ({ fr: name, en: name })
