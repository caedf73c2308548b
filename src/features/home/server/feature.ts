import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes, App } from '#src/server/types.ts'
import type { HomeMessage } from '../contract.ts'
import { homeInformation, homeMessage } from '../contract.ts'
import { emergencyBanner, homeInformationContent, homeMessageContent, readHomeInformations, readHomeMessages } from './service.ts'
import { sampleContent } from '#company/sample-content.ts'
import { homeInformations } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { home } from '../feature.ts'
import { hasRight } from '#src/lib/rights.ts'

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

/** A banner that was saved without a text is shown to nobody. */
const isShown = ({ message, message_en }: HomeMessage) => message !== '' || message_en !== ''

export const homeServer = serverFeature(home, {
  api: {
    '/api/home_messages/home_message': homeMessageRoutes,
    '/api/home_informations/home_information': homeInformationRoutes,
  },
  content: [homeMessageContent, homeInformationContent],
  pageServices: (app) => ({ home: pageServices(app) }),
  findEmergency: async (app) => (await readHomeMessages(app)).some(isShown),
  emergencyNotice: emergencyBanner,
  counter: {
    shape: { banner: homeMessage.nullable() },
    async find(app, { rights }) {
      if (!hasRight(rights, 'home', 'read_only')) return {}
      return { banner: (await readHomeMessages(app)).find(isShown) ?? null }
    },
  },
  async findFigures(app, { rights }) {
    if (!hasRight(rights, 'home', 'read_only')) return {}
    const isOn = (await readHomeMessages(app)).some(isShown)
    const figure = isOn ? { fr: 'Bandeau affiché', en: 'Banner shown' } : { fr: 'Aucun bandeau', en: 'No banner' }
    return { '/admin/notes': figure }
  },
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
