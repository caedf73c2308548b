import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { company } from '#company/company.ts'
import { mayAlso } from '#src/features/people/sign-in/server/route-access.ts'
import { defaultLanguage, languages } from '#src/lib/language/language.ts'
import { idParam } from '#src/lib/schemas.ts'
import { csvLine } from '#src/lib/text/escape.ts'
import { addDays, dayIn } from '#src/lib/time/dates.ts'
import { daySpan } from '#src/lib/time/zoned-time.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import { commandAuthor } from '#src/server/http/command-key.ts'
import { documentHeaders } from '#src/server/http/security-headers.ts'
import { Forbidden, NotFound } from '#src/server/problems.ts'
import type { App, Routes } from '#src/server/types.ts'
import {
  elementChange,
  elementHistory,
  incident,
  incidentChange,
  incidentInput,
  incidentUpdateInput,
  publishInput,
  staffIncident,
  undoableStep,
} from '../contract.ts'
import { ribbonDays } from '../values.ts'
import type { ElementDays } from './history.ts'
import { availabilityOf, findElementChanges, findElementDays, readRibbonDays, toHistory } from './history.ts'
import { addIncidentUpdate, changeIncident, createIncident, deleteDraft, publishIncident } from './incidents.ts'
import { findUndoable, sendWaitingMails, undoIncident } from './incident-undo.ts'
import { findIncident, findIncidents, withoutUndo } from './incident-list.ts'
import {
  findIncidentPage,
  findOverview,
  findStatusChanges,
  findStatusPage,
  findSummary,
  incidentPage,
  knownHashes,
  overview,
  statusChanges,
  statusPage,
  summary,
} from './overview.ts'
import { planMails } from './mailings.ts'
import { readNetworks } from './service.ts'

export const outageCommand = 'outage'

const { timeZone } = company.hours
const mostDays = 1_830
const days = z.coerce.number().int().min(1).max(mostDays).default(ribbonDays)
const day = z.iso.date().optional()
const canRead = { config: { access: 'networks read_only' } } as const
const canWrite = { config: { access: 'networks read_write' } } as const
const params = z.strictObject({ id: idParam })
const isStaff = (request: FastifyRequest) => mayAlso(request, 'networks', 'read_only')

export const contextOf = ({ db, events, emergencyNotice, queue }: App) => ({
  db,
  events,
  emergencyNotice,
  planMails: planMails(queue),
})

/** `/api/networks`: what the status page shows, the history, and incidents. */
export const statusRoutes: Routes = async (app) => {
  const { db } = app
  const context = contextOf(app)

  app.get('/overview', { config: { access: 'public' }, schema: { response: { 200: overview } } }, async (request, reply) =>
    sendShared(request, reply, await findOverview(app), overview),
  )

  app.get(
    '/summary',
    { config: { access: 'public' }, schema: { hide: true, response: { 200: summary } } },
    async (request, reply) => sendShared(request, reply, await findSummary(app), summary),
  )

  // The status page in the browser reads its parts as the server writes them.
  const inLanguage = z.strictObject({ lang: z.enum(languages).default(defaultLanguage) })
  const pageSchema = { hide: true, querystring: inLanguage, response: { 200: statusPage } }
  app.get('/status_page', { config: { access: 'public' }, schema: pageSchema }, async (request, reply) =>
    sendShared(request, reply, await findStatusPage(app, request.query.lang), statusPage),
  )
  const changesSchema = {
    hide: true,
    querystring: inLanguage.extend({ known: knownHashes }),
    response: { 200: statusChanges },
  }
  app.get('/status_changes', { config: { access: 'public' }, schema: changesSchema }, async (request, reply) => {
    // Each open page asks for each change: what only a document needs would be a third of the response.
    for (const name of documentHeaders) if (name !== 'content-security-policy') void reply.removeHeader(name)
    return findStatusChanges(app, request.query.lang, request.query.known)
  })
  const incidentPageSchema = { hide: true, params, querystring: inLanguage, response: { 200: incidentPage } }
  app.get('/incidents/:id/page', { config: { access: 'public' }, schema: incidentPageSchema }, (request) =>
    findIncidentPage(app, request.params.id, request.query.lang),
  )

  const historyQuery = z.strictObject({ days, id_reseau: idParam.optional() })
  const historySchema = { querystring: historyQuery, response: { 200: z.array(elementHistory) } }
  app.get('/history', { config: { access: 'public' }, schema: historySchema }, async (request) => {
    const { days: count, id_reseau } = request.query
    const mayReadAll = await isStaff(request)
    // Years of every component are megabytes: only staff asks for them.
    if (count > ribbonDays && !mayReadAll) throw new Forbidden(`Visitors may ask for ${ribbonDays} days.`)
    const found = await readDays(app, count)
    const listed = new Set((await readNetworks(app)).map((one) => one.id_reseau))
    const isShown = (id: number) => (mayReadAll || listed.has(id)) && (id_reseau === undefined || id === id_reseau)
    return found.filter((one) => isShown(one.id_reseau)).map(toHistory)
  })

  const csvQuery = z.strictObject({ days: days.default(365), by: z.enum(['day', 'month']).default('day') })
  app.get('/history.csv', { ...canRead, schema: { querystring: csvQuery } }, async (request, reply) => {
    const { days: count, by } = request.query
    const names = new Map((await readNetworks(app)).map(({ id_reseau, nom }) => [id_reseau, nom]))
    const rows = (await readDays(app, count)).flatMap((one) => toCsv(one, names.get(one.id_reseau) ?? '', by))
    void reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="availability-by-${by}.csv"`)
    return reply.send(
      `\ufeff${csvLine(['network', 'component', by, 'worst', 'down_minutes', 'degraded_minutes', 'maintenance_minutes', 'availability'])}${rows.join('')}`,
    )
  })

  const changesQuery = z.strictObject({ days, id_reseau: idParam.optional() })
  app.get(
    '/changes',
    { ...canRead, schema: { querystring: changesQuery, response: { 200: z.array(elementChange) } } },
    (request) => findElementChanges(db, request.query),
  )

  const incidentsQuery = z.strictObject({ from: day, to: day })
  app.get(
    '/incidents',
    {
      config: { access: 'public' },
      schema: { querystring: incidentsQuery, response: { 200: z.array(z.union([staffIncident, incident])) } },
    },
    async (request) => {
      const today = dayIn(timeZone, new Date())
      const { from = addDays(today, -ribbonDays), to = today } = request.query
      const drafts = await isStaff(request)
      const span = { from: daySpan(timeZone, from).starts, until: daySpan(timeZone, to).ends, drafts }
      const found = await findIncidents(db, span)
      return drafts ? found : found.map(withoutUndo)
    },
  )
  // For the bar that follows its author, and the administrators of networks, through the administration.
  app.get(
    '/incidents/undoable',
    { ...canWrite, schema: { hide: true, response: { 200: z.array(undoableStep) } } },
    async (request) => findUndoable(db, request.author.userId, await mayAlso(request, 'networks', 'administrator')),
  )
  app.get(
    '/incidents/:id',
    { config: { access: 'public' }, schema: { params, response: { 200: z.union([staffIncident, incident]) } } },
    async (request) => {
      const found = await findIncident(db, request.params.id)
      const isOpenToAll = !(await isStaff(request))
      if (found.draft && isOpenToAll) throw new NotFound('This incident does not exist.')
      return isOpenToAll ? withoutUndo(found) : found
    },
  )
  app.post(
    '/incidents',
    { ...canWrite, schema: { body: incidentInput, response: { 201: staffIncident } } },
    async (request, reply) => reply.code(201).send(await createIncident(context, request.author, request.body)),
  )
  app.put(
    '/incidents/:id',
    { ...canWrite, schema: { params, body: incidentChange, response: { 200: staffIncident } } },
    (request) => changeIncident(context, request.author, request.params.id, request.body),
  )
  app.delete('/incidents/:id', { ...canWrite, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await deleteDraft(context, request.author, request.params.id)
    return reply.code(204).send(null)
  })
  app.post(
    '/incidents/:id/updates',
    { ...canWrite, schema: { params, body: incidentUpdateInput, response: { 201: staffIncident } } },
    async (request, reply) =>
      reply.code(201).send(await addIncidentUpdate(context, request.author, request.params.id, request.body)),
  )
  app.post(
    '/incidents/:id/publish',
    { ...canWrite, schema: { params, body: publishInput, response: { 200: staffIncident } } },
    (request) => publishIncident(context, request.author, request.params.id, request.body),
  )
  app.post('/incidents/:id/send', { ...canWrite, schema: { params, response: { 200: staffIncident } } }, (request) =>
    sendWaitingMails(context, request.author, request.params.id),
  )
  app.post('/incidents/:id/undo', { ...canWrite, schema: { params, response: { 200: staffIncident } } }, (request) =>
    undoIncident(context, request.author, request.params.id),
  )

  // For `npm run outage`: it has no session, but the secret of this product.
  const author = commandAuthor(outageCommand)
  const byCommand = { config: { access: `command ${outageCommand}` } } as const
  app.post(
    '/outage',
    { ...byCommand, schema: { hide: true, body: incidentInput, response: { 201: incident } } },
    async (request, reply) => reply.code(201).send(await createIncident(context, author, request.body)),
  )
  app.post(
    '/outage/:id',
    { ...byCommand, schema: { hide: true, params, body: incidentUpdateInput, response: { 201: incident } } },
    async (request, reply) => reply.code(201).send(await addIncidentUpdate(context, author, request.params.id, request.body)),
  )
}

/** The stored days of the ribbon where they are enough. */
async function readDays(app: App, count: number): Promise<ElementDays[]> {
  if (count > ribbonDays) return findElementDays(app.db, count)
  return (await readRibbonDays(app)).map((one) => ({ ...one, days: one.days.slice(-count) }))
}

const worstFirst = ['ERROR', 'WARNING', 'MAINTENANCE', 'OK'] as const

function toCsv({ nom, days: all }: ElementDays, network: string, by: 'day' | 'month') {
  const periods = Map.groupBy(all, ({ date }) => (by === 'day' ? date : date.slice(0, 7)))
  return [...periods].map(([period, list]) => {
    const minutes = (key: 'down' | 'degraded' | 'maintenance') => Math.round(list.reduce((sum, one) => sum + one[key], 0) / 60)
    const worst = worstFirst.find((status) => list.some((one) => one.worst === status)) ?? ''
    const availability = availabilityOf(list)
    const share = availability === null ? '' : availability.toFixed(6)
    return csvLine([network, nom, period, worst, minutes('down'), minutes('degraded'), minutes('maintenance'), share])
  })
}
