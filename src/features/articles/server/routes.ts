import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { readUploadedPicture, storePicture } from '#src/features/content/server/pictures.ts'
import { mayAlso } from '#src/features/people/sign-in/server/route-access.ts'
import { xsrfCookie } from '#src/server/http/xsrf.ts'
import { id } from '#src/lib/schemas.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import type { Article } from '../contract.ts'
import { article, articlePicture, articleQuery, articleTitle, helpfulInput, idParams, slugParams } from '../contract.ts'
import { pictureMaxBytes } from '../values.ts'
import {
  articleContent,
  countRead,
  countToReview,
  findArticles,
  findTitles,
  readArticle,
  readMostRead,
  readTitles,
  vote,
  withSlugs,
} from './service.ts'

const isStaff = (request: FastifyRequest) => mayAlso(request, 'articles', 'read_only')
const canWrite = { config: { access: 'articles read_write' } } as const
const uploads = { points: 60, seconds: 600 }
/** Answers to "Was this helpful?" of one address. */
export const votes = { points: 60, seconds: 600 }
const reads = { points: 120, seconds: 600 }

/** `/api/articles/articles`: everybody reads what is published and public, staff also the rest. */
export const articleRoutes: Routes = async (app) => {
  const { db } = app
  const access = 'public'
  app.get(
    '/',
    { config: { access }, schema: { querystring: articleQuery, response: { 200: z.array(article) } } },
    async (request, reply) => {
      const { rows, total } = await findArticles(db, await isStaff(request), request.query.page)
      return reply.header('x-total-count', total).send(rows)
    },
  )
  app.get('/titles', { config: { access }, schema: { response: { 200: z.array(articleTitle) } } }, async (request) =>
    (await isStaff(request)) ? findTitles(db, true) : readTitles(app),
  )
  const count = z.object({ count: z.int() })
  app.get('/to_review', { ...canWrite, schema: { response: { 200: count } } }, async () => ({ count: await countToReview(db) }))
  app.get('/at/:slug', { config: { access }, schema: { params: slugParams, response: { 200: article } } }, (request) =>
    readArticle(app, request.params.slug),
  )
  registerContentRoutes(app, {
    content: articleContent,
    output: article,
    access: { read: access, write: 'articles read_write' },
    checkReader,
    prepare: withSlugs,
  })
}

/** Visitors get 404 for a draft and for what is for staff only. */
async function checkReader(request: FastifyRequest, found: Article) {
  if (!(found.publie && found.public) && !(await isStaff(request))) throw new NotFound('This entry does not exist.')
}

/** `/api/articles/pictures`: pictures of the texts. */
export const articlePictureRoutes: Routes = async (app) => {
  await app.register(multipart, { limits: { fileSize: pictureMaxBytes, files: 1, fields: 0 } })
  app.post(
    '/',
    { config: { ...canWrite.config, upload: true }, schema: { response: { 201: articlePicture } } },
    async (request, reply) => {
      await app.limits.take('article-picture', String(request.actor.userId), uploads)
      return reply.code(201).send(await storePicture(app.db, await readUploadedPicture(request, 'article_pictures')))
    },
  )
}

/** `/public_api/articles`: what was read most, and answers to "Was this helpful?", one a browser; a later one replaces it. */
export const articleVoteRoutes: Routes = async (app) => {
  const config = { access: 'public' } as const
  app.get('/most_read', { config, schema: { response: { 200: z.array(id) } } }, () => readMostRead(app))
  app.post('/:id/read', { config, schema: { params: idParams, response: { 204: z.null() } } }, async (request, reply) => {
    await app.limits.take('article-read', request.ip, reads)
    if (request.headers['sec-gpc'] !== '1') await countRead(app.db, request.params.id)
    return reply.code(204).send(null)
  })
  app.post(
    '/:id/helpful',
    { config, schema: { params: idParams, body: helpfulInput, response: { 204: z.null() } } },
    async (request, reply) => {
      await app.limits.take('article-vote', request.ip, votes)
      // The token was verified: its first part is the id of the browser.
      const [browser = ''] = (request.cookies[xsrfCookie] ?? '').split('.')
      await vote(app.db, request.params.id, browser, request.body.helpful)
      return reply.code(204).send(null)
    },
  )
}
