import { z } from 'zod'
import { isLanguage, languageStorageKey, requestedLanguage, defaultLanguage } from '#src/lib/language/language.ts'
import { translator } from '#src/lib/language/texts.ts'
import type { Routes } from '#src/server/types.ts'
import { visitBeacon, visitExportQuery, visitFigures, visitQuery } from '../contract.ts'
import { visitTexts } from '../texts.ts'
import { exportVisits, findVisits, rangeOf } from './figures.ts'
import { tallyOf } from './tally.ts'

const config = { access: 'company read_only' } as const

/** `/api/visits`, for the office. */
export const visitRoutes: Routes = async (app) => {
  const { flush } = tallyOf(app)
  app.get('/', { config, schema: { querystring: visitQuery, response: { 200: z.array(visitFigures) } } }, async ({ query }) => {
    await flush()
    return findVisits(app, query.by, rangeOf(query))
  })
  app.get('/export.csv', { config, schema: { querystring: visitExportQuery } }, async ({ query }, reply) => {
    await flush()
    const range = rangeOf(query)
    const name = `${translator(visitTexts, query.language)('fileName')}-${range.from}-${range.to}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(await exportVisits(app, range, query.language))
  })
}

/** A person reads a page in seconds; a frame of a school or an office is one address. */
const beaconsPerAddress = { points: 300, seconds: 60 }

/** `/public_api/visits`: what a page reports of itself. */
export const beaconRoutes: Routes = async (app) => {
  const secrets = app.features.flatMap(({ secretPaths = [] }) => secretPaths)
  app.post(
    '/',
    { config: { access: 'public', protection: 'beacon' }, schema: { body: visitBeacon, response: { 204: z.null() } } },
    async (request, reply) => {
      await app.limits.take('visit-beacon', request.ip, beaconsPerAddress)
      const { path, event, source = null } = request.body
      const [pathname = '/', search = ''] = path.split('?', 2)
      // The token of a customer's page is nobody's business.
      if (secrets.some((one) => pathname.startsWith(one))) return reply.code(204).send(null)
      const stored = request.cookies[languageStorageKey]
      const language = requestedLanguage(search) ?? (isLanguage(stored) ? stored : defaultLanguage)
      if (event) app.visits.countBegun({ kind: event, path: pathname, language, source, headers: request.headers })
      else await app.visits.countNavigation({ path: pathname, language, headers: request.headers })
      return reply.code(204).send(null)
    },
  )
}
