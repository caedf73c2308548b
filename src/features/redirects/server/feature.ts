import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { hostOrigin, requestOrigin } from '#src/server/http/xsrf.ts'
import type { Routes } from '#src/server/types.ts'
import type { RedirectInput } from '../contract.ts'
import {
  idParams,
  missingAddress,
  missingInput,
  redirect,
  redirectCounts,
  redirectInput,
  redirectQuery,
  suggestionQuery,
  target,
  targetQuery,
  tried,
  tryQuery,
} from '../contract.ts'
import { redirects as feature } from '../feature.ts'
import { missingDays } from '../values.ts'
import { redirectCommandRoutes } from './command-routes.ts'
import { redirectImporter } from './importer.ts'
import { redirectsOf } from './service.ts'
import { missingAddresses, redirects } from './table.ts'

/** A full address of this site is a path of it. */
function withOwnPath(request: FastifyRequest, input: RedirectInput): RedirectInput {
  const own = [requestOrigin(request), hostOrigin(request)].find((one) => input.to?.startsWith(`${one}/`))
  return own && input.to ? { ...input, to: input.to.slice(own.length) } : input
}

const read = { config: { access: 'company read_only' } } as const
const write = { config: { access: 'company read_write' } } as const

/** `/api/redirects`. */
const redirectRoutes: Routes = async (app) => {
  const service = redirectsOf(app)
  await app.register(redirectCommandRoutes)
  app.addHook('onClose', () => service.tally.flushSafely())
  app.get(
    '/redirects',
    { ...read, schema: { querystring: redirectQuery, response: { 200: z.array(redirect) } } },
    async (request, reply) => {
      const { rows, total } = await service.list(request.query)
      return reply.header('x-total-count', total).send(rows)
    },
  )
  app.get(
    '/counts',
    { ...read, schema: { response: { 200: redirectCounts } } },
    async () => (await service.list({ q: '', state: 'all', page: 1 })).counts,
  )
  app.post('/redirects', { ...write, schema: { body: redirectInput, response: { 201: redirect } } }, async (request, reply) =>
    reply.code(201).send(await service.create(request.author, withOwnPath(request, request.body))),
  )
  app.put(
    '/redirects/:id',
    { ...write, schema: { params: idParams, body: redirectInput, response: { 200: redirect } } },
    (request) => service.update(request.author, request.params.id, withOwnPath(request, request.body)),
  )
  app.delete(
    '/redirects/:id',
    { ...write, schema: { params: idParams, response: { 204: z.null() } } },
    async (request, reply) => {
      await service.remove(request.author, request.params.id)
      return reply.code(204).send(null)
    },
  )
  app.get('/missing', { ...read, schema: { response: { 200: z.array(missingAddress) } } }, () => service.findMissing())
  app.put('/missing', { ...write, schema: { body: missingInput, response: { 204: z.null() } } }, async (request, reply) => {
    await service.tally.ignore(request.body.path, request.body.ignored)
    return reply.code(204).send(null)
  })
  app.get('/targets', { ...read, schema: { querystring: targetQuery, response: { 200: z.array(target) } } }, (request) =>
    service.findTargets(request.query.q, request.query.language, request.actor.rights),
  )
  app.get('/suggestion', { ...read, schema: { querystring: suggestionQuery, response: { 200: target.nullable() } } }, (request) =>
    service.suggest(request.query.path, request.actor.rights),
  )
  app.get('/try', { ...read, schema: { querystring: tryQuery, response: { 200: tried } } }, (request) =>
    service.try(request.query.address, request.query.language, request.actor.rights),
  )
}

export const redirectsServer = serverFeature(feature, {
  api: { '/api/redirects': redirectRoutes },
  importers: [redirectImporter],
  answerMissing: (app) => redirectsOf(app).answerMissing,
  impersonalColumns: [
    { columns: [redirects.key, redirects.from, redirects.to], reason: 'addresses of pages' },
    {
      columns: [missingAddresses.path],
      reason: 'addresses of pages, counted; those with an email address, a long number or a key are not stored',
    },
  ],
  tableEnds: [
    {
      tables: [redirects],
      label: { fr: 'Redirections', en: 'Redirects' },
      reason: {
        fr: 'Une ancienne adresse mène à sa page jusqu’à ce que le personnel la supprime.',
        en: 'An old address leads to its page until staff delete it.',
      },
    },
    {
      tables: [missingAddresses],
      label: { fr: 'Adresses demandées en vain', en: 'Addresses requested in vain' },
      days: missingDays,
      purge: (app, before, limit) => redirectsOf(app).tally.purge(before, limit),
    },
  ],
})
