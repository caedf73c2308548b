import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { readShownAt } from '#src/features/requests/server/form-checks.ts'
import { downloadHeaders } from '#src/features/requests/server/entries.ts'
import { senderOf } from '#src/features/requests/server/routes.ts'
import { hasRight } from '#src/lib/rights.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Invalid, Problem } from '#src/server/problems.ts'
import type { Routes } from '#src/server/types.ts'
import {
  application,
  applicationChange,
  applicationExportQuery,
  applicationFileParams,
  applicationInput,
  applicationParams,
  applicationQuery,
  applicationReceipt,
  applicationSummary,
} from '../contract.ts'
import { exportTexts } from '../admin-texts.ts'
import { applicationFilesMax, applicationFilesMaxBytes } from '../values.ts'
import type { SentFile } from './receive.ts'
import { receiveApplication } from './receive.ts'
import {
  changeApplication,
  countWaiting,
  exportApplications,
  findApplication,
  findApplicationFile,
  findApplications,
  mailSuspected,
  readApplicationFile,
  removeApplication,
  scheduleDecisions,
  undoDecision,
} from './service.ts'

/** Of a whole request: the files, and room for the fields. */
export const applicationBodyLimit = applicationFilesMaxBytes + 256 * 1024

/** `/public_api/jobs`: what the form of a posting sends. */
export const publicApplicationRoutes: Routes = async (app) => {
  await app.register(multipart, {
    limits: { fileSize: applicationFilesMaxBytes, files: applicationFilesMax, fields: 20, fieldSize: 20_000 },
  })
  app.post(
    '/:id/applications',
    {
      config: { access: 'public', upload: true },
      bodyLimit: applicationBodyLimit,
      schema: { params: applicationParams, response: { 201: applicationReceipt } },
    },
    async (request, reply) => {
      const { fields, files } = await readForm(request)
      const parsed = applicationInput.safeParse(fields)
      if (!parsed.success) throw new Invalid('Some values are not valid.', issuesOf(parsed.error))
      const { shown_at: token } = parsed.data
      if (token !== undefined && readShownAt(app.config.secret, token) === null)
        throw new Invalid('Some values are not valid.', [{ path: 'shown_at', message: 'invalid' }])
      const sent = { input: parsed.data, files, sender: senderOf(request) }
      return reply.code(201).send({ reference: await receiveApplication(app, request.params.id, sent) })
    },
  )
}

const issuesOf = (error: z.ZodError) => error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))

/** A repeated field becomes a list, which no schema takes. */
async function readForm(request: FastifyRequest) {
  if (!request.isMultipart()) throw new Problem(415, 'Wrong type', 'An application is sent as multipart/form-data.')
  const fields: Record<string, unknown> = {}
  const files: SentFile[] = []
  const tooLarge = () =>
    new Problem(413, 'Too large', 'The files are over 10 MB.', { errors: [{ path: 'files', message: 'files too large' }] })
  try {
    let size = 0
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        const { fieldname: name, value } = part
        fields[name] = Object.hasOwn(fields, name) ? [fields[name], value] : value
        continue
      }
      const bytes = await buffer(part.file)
      size += bytes.length
      if (part.file.truncated || size > applicationFilesMaxBytes) throw tooLarge()
      if (part.fieldname !== 'files') fields[part.fieldname] = null
      // A file field that was left empty.
      else if (part.filename || bytes.length > 0) files.push({ name: part.filename, bytes })
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    if ((error as { statusCode?: number }).statusCode === 413) throw tooLarge()
    request.log.info({ err: error }, 'an application could not be read')
    throw new Invalid('The request is incomplete or malformed.')
  }
  return { fields, files }
}

const canRead = { config: { access: 'applications read_only' } } as const
const canWrite = { config: { access: 'applications read_write' } } as const
const one = { params: applicationParams, response: { 200: application } }

/** `/api/applications/applications`: what the staff do with them. */
export const applicationRoutes: Routes = async (app) => {
  const { db } = app
  scheduleDecisions(app)
  app.queue.schedule('applications-suspected-mail', '0 8 * * *', () => mailSuspected(app))
  app.get(
    '/',
    { ...canRead, schema: { querystring: applicationQuery, response: { 200: z.array(applicationSummary) } } },
    async (request, reply) => {
      const { rows, total } = await findApplications(db, request.query)
      return reply.header('x-total-count', total).send(rows)
    },
  )
  const counts = z.object({ new: z.int(), suspected: z.int() })
  app.get('/counts', { ...canRead, schema: { response: { 200: counts } } }, () => countWaiting(db))
  const exported = { config: { ...canRead.config, recentSignIn: true }, schema: { querystring: applicationExportQuery } } as const
  app.get('/export.csv', exported, async (request, reply) => {
    const { language, ...filter } = request.query
    const after = { application_status: filter.status }
    await db.transaction((tx) => recordChange(tx, request.author, { area: 'applications', action: 'export', after }))
    const name = `${exportTexts[language].fileName}-${dayIn(company.hours.timeZone, new Date())}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(exportApplications(db, filter, language)))
  })
  app.get('/:id', { ...canRead, schema: one }, (request) => findApplication(db, request.params.id))
  app.put('/:id', { ...canWrite, schema: { ...one, body: applicationChange } }, (request) =>
    changeApplication(app, request.author, request.params.id, request.body),
  )
  app.post('/:id/undo', { ...canWrite, schema: one }, (request) => undoDecision(app, request.author, request.params.id))
  app.delete(
    '/:id',
    { ...canWrite, schema: { params: applicationParams, response: { 204: z.null() } } },
    async (request, reply) => {
      const { actor, author, params } = request
      await removeApplication(app, author, params.id, hasRight(actor.rights, 'applications', 'administrator'))
      return reply.code(204).send(null)
    },
  )
  app.get('/:id/files/:file', { ...canRead, schema: { params: applicationFileParams } }, async (request, reply) => {
    const file = await findApplicationFile(db, request.params.id, request.params.file)
    return reply.headers(downloadHeaders(file)).send(Readable.from(readApplicationFile(db, file.id), { objectMode: false }))
  })
}
