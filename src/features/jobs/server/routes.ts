import { z } from 'zod'
import { registerEntryRoutes } from '#src/server/entry-routes.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { job, jobInput } from '../contract.ts'
import { findOpenJobs, jobEntries } from './service.ts'

const response = { 200: z.array(job) }

export const jobRoutes: Routes = async (app) => {
  app.get('/', { schema: { response } }, () => findOpenJobs(app.db))
  app.get('/all', { preHandler: needs('jobs', 'read_only'), schema: { response } }, () => jobEntries.findAll(app.db))
  registerEntryRoutes(app, { entries: jobEntries, input: jobInput, output: job, canWrite: needs('jobs', 'read_write') })
}
