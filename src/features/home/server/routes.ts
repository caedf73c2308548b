import { z } from 'zod'
import type { Routes } from '#src/server/types.ts'
import { homeInformation, homeMessage } from '../contract.ts'
import { findHomeInformations, findHomeMessages } from './service.ts'

export const homeMessageRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: z.array(homeMessage) } } }, () => findHomeMessages(app.db))
}

export const homeInformationRoutes: Routes = async (app) => {
  app.get('/', { schema: { response: { 200: z.array(homeInformation) } } }, () => findHomeInformations(app.db))
}
