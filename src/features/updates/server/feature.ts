import { z } from 'zod'
import { updateWindows } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import type { App, Routes } from '#src/server/types.ts'
import { maintenanceWindow, pastUpdate, updateAlert, updateAlertInput } from '../contract.ts'
import { updates } from '../feature.ts'
import {
  announceAuthor,
  announceCommand,
  findUpdateAlert,
  findUpdateHistory,
  readMaintenance,
  removeUpdateAlert,
  setUpdateAlert,
} from './service.ts'
import { broadcastUpdates } from './broadcast.ts'
import { calendarRoutes } from './calendar.ts'

const canRead = { config: { access: 'updates read_only' } } as const
const canWrite = { config: { access: 'updates read_write' } } as const
const nothing = { 204: z.null() }

/** `/api/updates`: signed-in users without the right get the alert with their profile and on their socket. */
const updateRoutes: Routes = async (app) => {
  const { db, events } = app
  const context = { db, events, nameElements: app.nameElements }
  broadcastUpdates(app)

  app.get('/alert', { ...canRead, schema: { response: { 200: updateAlert.nullable() } } }, () => findUpdateAlert(db))
  app.put('/alert', { ...canWrite, schema: { body: updateAlertInput, response: { 200: updateAlert } } }, (request) =>
    setUpdateAlert(context, request.author, request.body),
  )
  app.delete('/alert', { ...canWrite, schema: { response: nothing } }, async (request, reply) => {
    await removeUpdateAlert(context, request.author)
    return reply.code(204).send(null)
  })
  app.get('/history', { ...canRead, schema: { response: { 200: z.array(pastUpdate) } } }, () => findUpdateHistory(db))
  app.get('/windows', { config: { access: 'public' }, schema: { response: { 200: z.array(maintenanceWindow) } } }, () =>
    readMaintenance(app),
  )

  // For `npm run announce-update`, which has the product's secret instead of a session.
  const byCommand = { config: { access: `command ${announceCommand}` } } as const
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

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    updates: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({ findMaintenance: () => readMaintenance(app) })

export const updatesServer = serverFeature(updates, {
  api: { '/api/updates': updateRoutes },
  routes: { '/reseau': calendarRoutes },
  pageServices: (app) => ({ updates: pageServices(app) }),
  impersonalColumns: [
    {
      columns: [updateWindows.uid, updateWindows.message, updateWindows.messageEn, updateWindows.elements],
      reason: 'announcements that the company publishes',
    },
  ],
  tableEnds: [
    {
      tables: [updateWindows],
      label: { fr: 'Entretiens et alertes de mise à jour', en: 'Maintenance and update alerts' },
      reason: {
        fr: 'Ils expliquent l’historique du réseau, sans renseignement personnel.',
        en: 'They explain the network history, without personal information.',
      },
    },
  ],
  profileField: {
    shape: { update_alert: updateAlert.nullable() },
    find: async (db) => ({ update_alert: await findUpdateAlert(db) }),
  },
})
