import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Routes } from '#src/server/types.ts'
import { announcement, announcementInput, announcementTest, newsAudience } from '../contract.ts'
import { announce, countReaders, findAnnouncements, sendTest, startAnnouncements, undo } from './service.ts'

const config = { access: 'company read_write' } as const
const params = z.strictObject({ id: idParam })
/** Both texts at their limit, in characters of several bytes. */
const bodyLimit = 512 * 1024
const tests = { points: 20, seconds: 3_600 }

/** `/api/announcements`: mails of the office to the subscribers of its news. */
export const announcementRoutes: Routes = async (app) => {
  startAnnouncements(app)
  app.get('/', { config, schema: { response: { 200: z.array(announcement) } } }, () => findAnnouncements(app.db))
  app.get('/audience', { config, schema: { response: { 200: newsAudience } } }, () => countReaders(app.db))
  app.post(
    '/',
    { config, bodyLimit, schema: { body: announcementInput, response: { 201: z.union([announcement, announcementTest]) } } },
    async (request, reply) => {
      void reply.code(201)
      if (!request.body.test) return announce(app, request.author, request.body)
      await app.limits.take('announcement-test', String(request.actor.userId), tests)
      return { id_announcement: null, to: await sendTest(app, request.author, request.body) }
    },
  )
  app.post('/:id/undo', { config, schema: { params, response: { 200: announcement } } }, (request) =>
    undo(app, request.author, request.params.id),
  )
}
