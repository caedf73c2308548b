import { z } from 'zod'
import { registerEntryRoutes } from '#src/server/entry-routes.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { homeInformation, homeInformationInput, homeMessage, homeMessageInput } from '../contract.ts'
import { homeInformationEntries, homeMessageEntries, readHomeInformations, readHomeMessages } from './service.ts'

const canWrite = needs('home', 'read_write')

export const homeMessageRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: z.array(homeMessage) } } }, () => readHomeMessages(app))
  registerEntryRoutes(app, { entries: homeMessageEntries, input: homeMessageInput, output: homeMessage, canWrite })
}

export const homeInformationRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: z.array(homeInformation) } } }, () => readHomeInformations(app))
  registerEntryRoutes(app, { entries: homeInformationEntries, input: homeInformationInput, output: homeInformation, canWrite })
}
