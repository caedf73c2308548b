import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { defaultLanguage, isLanguage, languageStorageKey } from '#src/lib/language/language.ts'
import { dayIn } from '#src/lib/time/dates.ts'
import { translator } from '#src/lib/language/texts.ts'
import { recordChange } from '#src/server/audit-log/audit-log.ts'
import { Invalid, NotFound } from '#src/server/problems.ts'
import { readFileBytes } from '#src/server/uploads/form-parts.ts'
import type { App, Routes } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { hasRight } from '#src/lib/rights.ts'
import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import {
  assigneeList,
  blockInput,
  commentInput,
  contactInput,
  entryParams,
  fileParams,
  formStart,
  holdInput,
  inboxMail,
  linkInput,
  mergeInput,
  presence,
  presenceInput,
  replyInput,
  requestBlock,
  requestChange,
  requestDetail,
  requestExportQuery,
  requestParams,
  requestQuery,
  requestReceipt,
  requestSettings,
  requestSummary,
  requestViewCounts,
  supportInput,
  suspectedSummary,
} from '../contract.ts'
import { exportTexts } from '../server-texts.ts'
import { exportRequests } from './export.ts'
import { countViews, findAssignees, findRequest, findRequests } from './lookup.ts'
import {
  addComment,
  changeRequest,
  removeRequest,
  retryRequestMail,
  scheduleSuspected,
  summarizeSuspected,
  undoDecision,
} from './follow-up.ts'
import { downloadHeaders, findFile, readFilePieces } from './entries.ts'
import { followInbox } from './inbox.ts'
import { linkRequests, mergeRequest, splitEntry, unmergeRequest } from './merge.ts'
import { findBlocks, markSpam, setBlock } from './spam.ts'
import { holdRequest } from './personal-data.ts'
import { retryEntry } from './contact.ts'
import { notePresence, replyTo } from './reply.ts'
import { findSettings, saveSettings } from './settings.ts'
import { findInbox, settleMail } from './take-mail.ts'
import { replyFilesMaxBytes } from '../values.ts'
import { submitContact, submitSupport } from './receive.ts'
import { readShownAt, signShownAt } from './form-checks.ts'

/** What the public forms post to (docs/api.md#forms). */
export const mailerRoutes: Routes = async (app) => {
  app.get('/form', { config: { access: 'public' }, schema: { response: { 200: formStart } } }, () => ({
    shown_at: signShownAt(app.config.secret, Date.now()),
  }))
  app.post(
    '/support',
    { config: { access: 'public' }, schema: { body: supportInput, response: { 200: requestReceipt } } },
    (request) => submitSupport(app, refuseForgedTime(app, request.body), senderOf(request)),
  )
  app.post(
    '/contact',
    { config: { access: 'public' }, schema: { body: contactInput, response: { 200: requestReceipt } } },
    (request) => submitContact(app, refuseForgedTime(app, request.body), senderOf(request)),
  )
}

/** Base64 takes a third more than its bytes. */
const replyBodyLimit = Math.ceil(replyFilesMaxBytes / 3) * 4 + 256 * 1024

const one = { params: requestParams, response: { 200: requestDetail } }
const canRead = { config: { access: 'requests read_only' } } as const
const canWrite = { config: { access: 'requests read_write' } } as const

/** What the staff do with the requests. */
export const requestRoutes: Routes = async (app) => {
  const { db } = app
  scheduleSuspected(app)
  app.mailer.provideFiles((id) => readFilePieces(db, id))
  const inbox = followInbox(app)
  app.addHook('onListen', async () => void inbox?.start())
  app.addHook('preClose', async () => inbox?.stop())

  app.get(
    '/',
    { ...canRead, schema: { querystring: requestQuery, response: { 200: z.array(requestSummary) } } },
    async (request, reply) => {
      const { rows, total } = await findRequests(db, request.query, request.actor.userId)
      return reply.header('x-total-count', total).send(rows)
    },
  )
  app.get('/assignees', { ...canRead, schema: { response: { 200: assigneeList } } }, () => findAssignees(db))
  app.get('/suspected', { ...canRead, schema: { response: { 200: suspectedSummary } } }, () => summarizeSuspected(db))
  const exported = { config: { ...canRead.config, recentSignIn: true }, schema: { querystring: requestExportQuery } } as const
  app.get('/export.csv', exported, async (request, reply) => {
    const { language, ...filter } = request.query
    await db.transaction((tx) =>
      recordChange(tx, request.author, {
        area: 'requests',
        action: 'export',
        after: { status: filter.status, kind: filter.kind, assigned_to: filter.assigned_to },
      }),
    )
    const { timeZone } = company.hours
    const name = `${translator(exportTexts, language)('fileName')}-${dayIn(timeZone, new Date())}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(exportRequests(db, filter, request.actor.userId, language, timeZone)))
  })
  app.get('/views', { ...canRead, schema: { response: { 200: requestViewCounts } } }, (request) =>
    countViews(db, request.actor.userId),
  )
  app.get('/settings', { ...canRead, schema: { response: { 200: requestSettings } } }, () => findSettings(db))
  app.put(
    '/settings',
    { config: { access: 'requests administrator' }, schema: { body: requestSettings, response: { 200: requestSettings } } },
    (request) => saveSettings(db, request.author, request.body),
  )
  app.get('/blocks', { ...canRead, schema: { response: { 200: z.array(requestBlock) } } }, () => findBlocks(db))
  const blocks = { ...canWrite, schema: { body: blockInput, response: { 200: z.array(requestBlock) } } } as const
  app.post('/blocks', blocks, ({ author, body }) => setBlock(db, author, body.email, true))
  app.delete('/blocks', blocks, ({ author, body }) => setBlock(db, author, body.email, false))
  app.get('/inbox', { ...canRead, schema: { response: { 200: z.array(inboxMail) } } }, () => findInbox(db))
  for (const [path, isAccepted] of [
    ['accept', true],
    ['dismiss', false],
  ] as const) {
    app.post(
      `/inbox/:id/${path}`,
      { ...canWrite, schema: { params: requestParams, response: { 204: z.null() } } },
      async (request, reply) => {
        const { author, params } = request
        if (!(await settleMail(app, author, params.id, isAccepted))) throw new NotFound('No such mail waits.')
        return reply.code(204).send(null)
      },
    )
  }
  app.get('/:id/files/:file', { ...canRead, schema: { params: fileParams } }, async (request, reply) => {
    const file = await findFile(db, request.params.file, request.params.id)
    return reply.headers(downloadHeaders(file)).send(Readable.from(readFilePieces(db, file.id), { objectMode: false }))
  })
  app.get('/:id', { ...canRead, schema: one }, (request) => findRequest(app, request.params.id))
  app.put('/:id', { ...canWrite, schema: { ...one, body: requestChange } }, (request) =>
    changeRequest(app, request.author, request.params.id, request.body),
  )
  app.post(
    '/:id/comments',
    { ...canWrite, schema: { params: requestParams, body: commentInput, response: { 201: requestDetail } } },
    async (request, reply) => reply.code(201).send(await addComment(app, request.author, request.params.id, request.body.body)),
  )
  app.post(
    '/:id/replies',
    {
      config: { ...canWrite.config, upload: true },
      bodyLimit: replyBodyLimit,
      schema: { params: requestParams, body: replyInput, response: { 201: requestDetail } },
    },
    async (request, reply) => {
      const files = []
      for (const file of request.body.files)
        files.push({ name: file.name, bytes: await readFileBytes(request, 'request_files', file) })
      return reply.code(201).send(await replyTo(app, request.author, request.params.id, { ...request.body, files }))
    },
  )
  app.post(
    '/:id/entries/:entry/retry',
    { ...canWrite, schema: { params: entryParams, response: { 200: requestDetail } } },
    (request) => retryEntry(app, request.author, request.params.id, request.params.entry),
  )
  app.post(
    '/:id/presence',
    { ...canRead, schema: { params: requestParams, body: presenceInput, response: { 200: presence } } },
    ({ actor, params, body }) => notePresence(db, actor.userId, params.id, body.is_writing),
  )
  app.post('/:id/merge', { ...canWrite, schema: { ...one, body: mergeInput } }, ({ author, params, body }) =>
    mergeRequest(app, author, params.id, body.into),
  )
  app.post('/:id/unmerge', { ...canWrite, schema: one }, ({ author, params }) => unmergeRequest(app, author, params.id))
  app.post('/:id/link', { ...canWrite, schema: { ...one, body: linkInput } }, ({ author, params, body }) =>
    linkRequests(app, author, params.id, body.to),
  )
  app.post(
    '/:id/entries/:entry/split',
    { ...canWrite, schema: { params: entryParams, response: { 201: requestDetail } } },
    async ({ author, params }, reply) => reply.code(201).send(await splitEntry(app, author, params.id, params.entry)),
  )
  app.post('/:id/spam', { ...canWrite, schema: one }, ({ author, params }) => markSpam(app, author, params.id, true))
  app.delete('/:id/spam', { ...canWrite, schema: one }, ({ author, params }) => markSpam(app, author, params.id, false))
  app.put('/:id/hold', { ...canWrite, schema: { ...one, body: holdInput } }, async ({ actor, author, params, body }) => {
    // Lifting a hold makes a request deletable, so it requires the right to delete.
    if (!body.on_hold) requireRight(actor, 'requests', 'administrator')
    await holdRequest(db, author, params.id, body.on_hold)
    return findRequest(app, params.id)
  })
  app.post('/:id/undo', { ...canWrite, schema: one }, (request) => undoDecision(app, request.author, request.params.id))
  app.post('/:id/mail/retry', { ...canWrite, schema: one }, (request) => retryRequestMail(app, request.author, request.params.id))
  app.delete('/:id', { ...canWrite, schema: { params: requestParams, response: { 204: z.null() } } }, async (request, reply) => {
    const { actor, author, params } = request
    await removeRequest(app, author, params.id, hasRight(actor.rights, 'requests', 'administrator'))
    return reply.code(204).send(null)
  })
}

export function senderOf(request: FastifyRequest) {
  const chosen = request.cookies[languageStorageKey]
  const language = isLanguage(chosen) ? chosen : defaultLanguage
  // The XSRF pair was checked before the body was read.
  return { address: request.ip, language, page: pageOf(request), isVouchedFor: true, headers: request.headers }
}

function refuseForgedTime<Input extends { shown_at?: string | undefined }>(app: App, input: Input) {
  const isForged = input.shown_at !== undefined && readShownAt(app.config.secret, input.shown_at) === null
  if (isForged) throw new Invalid('Some values are not valid.', [{ path: 'shown_at', message: 'invalid' }])
  return input
}

/** Path of the page of ours that the form was on; empty for other clients. */
function pageOf(request: FastifyRequest) {
  const { referer = '' } = request.headers
  const isOurs = referer.startsWith(`${requestOrigin(request)}/`) && URL.canParse(referer)
  return isOurs ? new URL(referer).pathname.slice(0, 200) : ''
}
