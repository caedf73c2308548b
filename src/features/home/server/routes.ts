import { z } from 'zod'
import { registerEntryRoutes } from '#src/server/content/entry-routes.ts'
import { sendShared } from '#src/server/cache/shared-answers.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { homeInformation, homeInformationInput, homeMessage, homeMessageInput } from '../contract.ts'
import { homeInformationEntries, homeMessageEntries, readHomeInformations, readHomeMessages } from './service.ts'

const canWrite = needs('home', 'read_write')

const homeMessages = z.array(homeMessage)
const homeInformations = z.array(homeInformation)

export const homeMessageRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: homeMessages } } }, async (request, reply) =>
    sendShared(request, reply, await readHomeMessages(app), homeMessages),
  )
  registerEntryRoutes(app, { entries: homeMessageEntries, input: homeMessageInput, output: homeMessage, canWrite })
}

export const homeInformationRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: homeInformations } } }, async (request, reply) =>
    sendShared(request, reply, await readHomeInformations(app), homeInformations),
  )
  registerEntryRoutes(app, { entries: homeInformationEntries, input: homeInformationInput, output: homeInformation, canWrite })
}
