import { z } from 'zod'
import type { Label } from '#src/lib/feature.ts'
import { filterRows } from '#src/lib/lists.ts'
import { isBlank } from '#src/lib/text/plain-text.ts'
import type { Routes } from '#src/server/types.ts'
import type { ServerFeature } from '../../server/feature.ts'
import { paletteQuery, paletteResult } from '../contract.ts'

/** What the features find for the command palette, each by the rights of who asks. */
export const paletteRoutes =
  (features: readonly ServerFeature[]): Routes =>
  async (app) => {
    const schema = { querystring: paletteQuery, response: { 200: z.array(paletteResult) } }
    app.get('/', { config: { access: 'signed-in' }, schema }, async (request) => {
      const { userId, mustSetUpTotp, rights } = request.actor
      const { q } = request.query
      if (isBlank(q) || mustSetUpTotp) return []
      const found = await Promise.all(
        features.flatMap(({ findInPalette }) => findInPalette?.(app, { userId, rights }, q.trim()) ?? []),
      )
      return found.flat()
    })
  }

/** Of one kind of entries, as many as a list without scrolling shows. */
export const mostOfKind = 5

/** The first rows that contain every word of a search, whatever its accents and capitals. */
export const firstMatches = <Row>(rows: readonly Row[], search: string, textOf: (row: Row) => string) =>
  filterRows(rows, search, textOf).slice(0, mostOfKind)

/** A name that is the same in both languages. */
export const sameName = (name: string): Label => ({ fr: name, en: name })
