import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes, App } from '#src/server/types.ts'
import { homeInformation, homeMessage } from '../contract.ts'
import { emergencyBanner, homeInformationContent, homeMessageContent, readHomeInformations, readHomeMessages } from './service.ts'
import { sampleContent } from '#company/sample-content.ts'
import { homeInformations } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { home } from '../feature.ts'

const access = { read: 'public', write: 'home read_write' } as const

const messageList = z.array(homeMessage)
const informationList = z.array(homeInformation)

const homeMessageRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response: { 200: messageList } } }, async (request, reply) =>
    sendShared(request, reply, await readHomeMessages(app), messageList),
  )
  registerContentRoutes(app, { content: homeMessageContent, output: homeMessage, access })
}

const homeInformationRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response: { 200: informationList } } }, async (request, reply) =>
    sendShared(request, reply, await readHomeInformations(app), informationList),
  )
  registerContentRoutes(app, { content: homeInformationContent, output: homeInformation, access })
}

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    home: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({
  findMessages: () => readHomeMessages(app),
  findInformations: () => readHomeInformations(app),
})

export const homeServer = serverFeature(home, {
  api: {
    '/api/home_messages/home_message': homeMessageRoutes,
    '/api/home_informations/home_information': homeInformationRoutes,
  },
  content: [homeMessageContent, homeInformationContent],
  pageServices: (app) => ({ home: pageServices(app) }),
  // A banner that was saved without a text is shown to nobody.
  findEmergency: async (app) =>
    (await readHomeMessages(app)).some(({ message, message_en }) => message !== '' || message_en !== ''),
  emergencyNotice: emergencyBanner,
  async putSample(tx) {
    const { homeInformation: information } = sampleContent
    await tx.insert(homeInformations).values({
      title: information.title,
      titleEn: information.title_en,
      description: information.description,
      descriptionEn: information.description_en,
    })
  },
})
