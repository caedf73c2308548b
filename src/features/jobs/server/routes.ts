import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { NotFound } from '#src/server/problems.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { mayAlso } from '#src/features/people/sign-in/server/route-access.ts'
import type { Job } from '../contract.ts'
import { job } from '../contract.ts'
import { findCurrentJobs, findOlderJobs, jobContent, readOpenJobs } from './service.ts'

const response = { 200: z.array(job) }
/** Without a page: the postings that did not close more than three months ago; with one, those that did. */
const querystring = z.strictObject({ page: z.coerce.number().int().min(1).max(1_000_000_000).optional() })

export const jobRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response } }, async (request, reply) =>
    sendShared(request, reply, await readOpenJobs(app), response[200]),
  )
  const all = { config: { access: 'jobs read_only' }, schema: { querystring, response } } as const
  app.get('/all', all, async (request, reply) => {
    const { page } = request.query
    if (page === undefined) return findCurrentJobs(app.db)
    const { jobs, total } = await findOlderJobs(app.db, page)
    return reply.header('x-total-count', total).send(jobs)
  })
  registerContentRoutes(app, {
    content: jobContent,
    output: job,
    access: { read: 'public', write: 'jobs read_write' },
    checkReader,
  })
}

/** Visitors get 404 for a planned posting; only users with the right to jobs may read it. */
async function checkReader(request: FastifyRequest, { state }: Job) {
  if (state === 'planned' && !(await mayAlso(request, 'jobs', 'read_only'))) throw new NotFound('This entry does not exist.')
}
