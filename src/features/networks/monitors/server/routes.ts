import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { Conflict, Invalid, NotFound } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import { contextOf } from '../../server/incident-routes.ts'
import {
  checkResult,
  createdMonitor,
  importResult,
  monitor,
  monitorChange,
  monitorHistory,
  monitorImport,
  monitorInput,
  signalAddress,
  signalInput,
} from '../contract.ts'
import { monitorPeriods } from '../values.ts'
import { runCheck } from './checks.ts'
import {
  changeMonitor,
  checkTarget,
  createMonitor,
  deleteMonitor,
  findByToken,
  findMonitor,
  findMonitorRow,
  findMonitors,
  importMonitors,
  renewToken,
  signalPath,
} from './monitors.ts'
import { alertQueue, mailAlerts, recordOutcome, resolveQuiet } from './outcomes.ts'
import { checkOf, findHistory, keepFigures, runMonitors, storeOne } from './runner.ts'

const access = 'networks administrator'
const config = { access } as const
/** The server calls what is entered here. */
const protectedConfig = { access, recentSignIn: true } as const
const params = z.strictObject({ id: idParam })
/** Checks that somebody asked for. */
const checksPerUser = { points: 60, seconds: 60 }

/** `/api/networks/monitors`, and the work that the queue does for it. */
export const monitorRoutes: Routes = async (app) => {
  const { db, limits } = app
  const context = contextOf(app)
  const resolver = runMonitors(app)
  const never = new AbortController().signal
  app.queue.define(alertQueue, { retryLimit: 5, retryDelay: 5, retryBackoff: true }, () => mailAlerts(app))
  app.queue.schedule('monitor-recovery', '* * * * *', async () => {
    await resolveQuiet(context)
    // Where the job was lost with a failing database.
    await mailAlerts(app)
  })
  app.queue.schedule('monitor-figures', '7 * * * *', () => keepFigures(db))

  app.get('/', { config, schema: { response: { 200: z.array(monitor) } } }, () => findMonitors(db))
  app.get('/:id', { config, schema: { params, response: { 200: monitor } } }, (request) => findMonitor(db, request.params.id))
  app.post(
    '/',
    { config: protectedConfig, schema: { body: monitorInput, response: { 201: createdMonitor } } },
    async (request, reply) => {
      const { monitor: created, token } = await createMonitor(db, request.author, request.body)
      return reply.code(201).send({ ...created, ...addressOf(request, token) })
    },
  )

  const changed = { params, body: monitorChange, response: { 200: createdMonitor } }
  app.put('/:id', { config: { access, recentSignIn: { when: changesTarget } }, schema: changed }, async (request) => {
    const { monitor: after, token } = await changeMonitor(db, request.author, request.params.id, request.body)
    return { ...after, ...addressOf(request, token) }
  })
  app.delete('/:id', { config, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await deleteMonitor(db, request.author, request.params.id)
    return reply.code(204).send(null)
  })
  app.post(
    '/:id/address',
    { config: protectedConfig, schema: { params, response: { 200: signalAddress } } },
    async (request) => ({ signal_url: urlOf(request, await renewToken(db, request.author, request.params.id)) }),
  )

  app.post(
    '/test',
    { config: protectedConfig, schema: { body: monitorInput, response: { 200: checkResult } } },
    async (request) => {
      checkTarget(request.body)
      if (request.body.kind === 'signal') throw new Conflict('A signal is sent to us: there is nothing to test.')
      await limits.take('monitor-check', String(request.actor.userId), checksPerUser)
      const result = await runCheck(request.body, resolver, never)
      if (!result) throw new Error('a test was broken off')
      return result
    },
  )
  app.post('/:id/check', { config, schema: { params, response: { 200: monitor } } }, async (request) => {
    const { id } = request.params
    const { monitor: row } = await findMonitorRow(db, id)
    if (row.kind === 'signal') throw new Conflict('A signal is sent to us: there is nothing to check.')
    if (!row.enabled) throw new Conflict('This monitor is paused.')
    await limits.take('monitor-check', String(request.actor.userId), checksPerUser)
    const result = await runCheck(checkOf(row), resolver, never)
    if (!result) throw new Error('a check was broken off')
    const at = new Date()
    await recordOutcome(app, context, row, result, { now: at })
    await storeOne(db, id, at, result)
    return findMonitor(db, id)
  })

  const historyQuery = z.strictObject({ period: z.enum(monitorPeriods).default('day') })
  app.get(
    '/:id/history',
    { config, schema: { params, querystring: historyQuery, response: { 200: monitorHistory } } },
    async (request) => {
      await findMonitorRow(db, request.params.id)
      return findHistory(db, request.params.id, request.query.period)
    },
  )
  app.post('/import', { config: protectedConfig, schema: { body: monitorImport, response: { 200: importResult } } }, (request) =>
    importMonitors(db, request.author, request.body.csv, request.body.dry_run),
  )
}

/** Pausing or another interval sends nothing to a new place. */
async function changesTarget(request: FastifyRequest) {
  const { id } = request.params as z.infer<typeof params>
  const { kind, target } = request.body as z.infer<typeof monitorChange>
  const { monitor: row } = await findMonitorRow(request.server.db, id)
  return row.kind !== kind || row.target !== target
}

const urlOf = (request: FastifyRequest, token: string) => `${requestOrigin(request)}${signalPath}${token}`
const addressOf = (request: FastifyRequest, token: string | null) => (token ? { signal_url: urlOf(request, token) } : {})

const signalsPerToken = { points: 60, seconds: 60 }
const unknownPerAddress = { points: 30, seconds: 60 }
/** A signal with the sender's time is refused when it is older, so that one that was recorded cannot be sent again. */
const oldestSignalMs = 5 * 60_000

/** `/api/networks/signals`: states that other monitoring systems send; the secret is in the address. */
export const signalRoutes: Routes = async (app: App) => {
  const { db, limits } = app
  const context = contextOf(app)
  // Some systems can only post a form. Nothing else of the product reads forms here, and the secret protects the route.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 8_192 },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    },
  )
  const bodyParams = z.strictObject({ token: z.string().max(100) })
  app.post(
    '/:token',
    {
      config: { access: 'public', protection: 'secret' },
      schema: { params: bodyParams, body: signalInput, response: { 204: z.null() } },
      bodyLimit: 8_192,
      // Before the body is read.
      async onRequest(request) {
        const { token } = request.params
        const found = await findByToken(db, token)
        if (!found) {
          await limits.take('signal-unknown', request.ip, unknownPerAddress)
          throw new NotFound()
        }
        await limits.take('signal', String(found.id), signalsPerToken)
      },
    },
    async (request, reply) => {
      const { state, message, at } = request.body
      const row = await findByToken(db, request.params.token)
      if (!row) throw new NotFound()
      const now = new Date()
      const sentAt = at === undefined ? undefined : new Date(at)
      if (sentAt) {
        const { status } = await findMonitorRow(db, row.id)
        if (Math.abs(now.getTime() - sentAt.getTime()) > oldestSignalMs)
          throw new Invalid('Some values are not valid.', [{ path: 'at', message: 'within five minutes' }])
        if (status.signalAt && status.signalAt >= sentAt) throw new Conflict('This signal, or a later one, has arrived already.')
      }
      if (row.enabled) {
        const reason = state === 'up' ? null : 'signal'
        const result = { state, ms: null, reason, detail: message } as const
        await recordOutcome(app, context, row, result, { now, isSignal: true, sentAt })
        await storeOne(db, row.id, now, result)
      }
      return reply.code(204).send(null)
    },
  )
}
