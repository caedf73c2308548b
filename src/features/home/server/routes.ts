import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-answers.ts'
import type { Routes } from '#src/server/types.ts'
import { homeInformation, homeMessage } from '../contract.ts'
import { homeInformationContent, homeMessageContent, readHomeInformations, readHomeMessages } from './service.ts'

const access = { read: 'public', write: 'home read_write' } as const

const homeMessages = z.array(homeMessage)
const homeInformations = z.array(homeInformation)

export const homeMessageRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response: { 200: homeMessages } } }, async (request, reply) =>
    sendShared(request, reply, await readHomeMessages(app), homeMessages),
  )
  registerContentRoutes(app, { content: homeMessageContent, output: homeMessage, access })
}

export const homeInformationRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response: { 200: homeInformations } } }, async (request, reply) =>
    sendShared(request, reply, await readHomeInformations(app), homeInformations),
  )
  registerContentRoutes(app, { content: homeInformationContent, output: homeInformation, access })
}
