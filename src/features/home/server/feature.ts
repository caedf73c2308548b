import { sampleContent } from '#company/sample-content.ts'
import type { App } from '#src/server/types.ts'
import { homeInformationRoutes, homeMessageRoutes } from './routes.ts'
import { homeInformationContent, homeMessageContent, readHomeInformations, readHomeMessages } from './service.ts'
import { homeInformations } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { home } from '../feature.ts'

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
  findEmergency: async (app) => (await readHomeMessages(app)).length > 0,
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
