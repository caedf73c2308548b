import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { maintenanceWindow, pastUpdate, updateAlert, updateAlertInput } from '../contract.ts'
import { announceAuthor, signed } from './announce-key.ts'
import { broadcastUpdates } from './broadcast.ts'
import { findUpdateAlert, findUpdateHistory, readMaintenance, removeUpdateAlert, setUpdateAlert } from './service.ts'

const canRead = needs('updates', 'read_only')
const canWrite = needs('updates', 'read_write')
const nothing = { 204: z.null() }

/** `/api/updates` (contract.md 4); signed-in people without the right hear of the alert by their profile and their socket. */
export const updateRoutes: Routes = async (app) => {
  const { db, events } = app
  const context = { db, events }
  broadcastUpdates(app)

  app.get('/alert', { onRequest: canRead, schema: { response: { 200: updateAlert.nullable() } } }, () => findUpdateAlert(db))
  app.put('/alert', { onRequest: canWrite, schema: { body: updateAlertInput, response: { 200: updateAlert } } }, (request) =>
    setUpdateAlert(context, request.author, request.body),
  )
  app.delete('/alert', { onRequest: canWrite, schema: { response: nothing } }, async (request, reply) => {
    await removeUpdateAlert(context, request.author)
    return reply.code(204).send(null)
  })
  app.get('/history', { onRequest: canRead, schema: { response: { 200: z.array(pastUpdate) } } }, () => findUpdateHistory(db))
  app.get('/windows', { schema: { response: { 200: z.array(maintenanceWindow) } } }, () => readMaintenance(app))

  // For `npm run announce-update`: it has no session, but the secret of this product.
  const byCommand = { onRequest: signed, config: { xsrf: 'origin' as const } }
  app.put(
    '/announcement',
    { ...byCommand, schema: { hide: true, body: updateAlertInput, response: { 200: updateAlert } } },
    (request) => setUpdateAlert(context, announceAuthor, request.body),
  )
  app.delete('/announcement', { ...byCommand, schema: { hide: true, response: nothing } }, async (_request, reply) => {
    await removeUpdateAlert(context, announceAuthor)
    return reply.code(204).send(null)
  })
}
