import { z } from 'zod'
import { registerOrderRoutes } from '#src/features/content/order/server/order.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { followSchedule } from '#src/features/content/server/schedule.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { mayAlso, requireShown } from '#src/features/people/sign-in/server/route-access.ts'
import { job } from '../contract.ts'
import { findCurrentJobs, findNextChange, findOlderJobs, isPublic, jobContent, readOpenJobs } from './service.ts'

const response = { 200: z.array(job) }
/** Without a page: the postings that did not close more than three months ago; with one, those that did. */
const querystring = z.strictObject({ page: z.coerce.number().int().min(1).max(1_000_000_000).optional() })

export const jobRoutes: Routes = async (app) => {
  followSchedule(app, 'jobs', () => findNextChange(app.db))
  app.get('/', { config: { access: 'public' }, schema: { response } }, async (request, reply) => {
    if (!(await mayAlso(request, 'jobs', 'read_only'))) return sendShared(request, reply, await readOpenJobs(app), response[200])
    const current = await findCurrentJobs(app.db)
    return current.filter(({ state }) => state === 'draft' || state === 'open')
  })
  const all = { config: { access: 'jobs read_only' }, schema: { querystring, response } } as const
  app.get('/all', all, async (request, reply) => {
    const { page } = request.query
    if (page === undefined) return findCurrentJobs(app.db)
    const { jobs, total } = await findOlderJobs(app.db, page)
    return reply.header('x-total-count', total).send(jobs)
  })
  registerOrderRoutes(app, jobContent)
  registerContentRoutes(app, {
    content: jobContent,
    output: job,
    access: { read: 'public', write: 'jobs read_write' },
    checkReader: (request, job) => requireShown(request, 'jobs', isPublic(job.state)),
  })
}
