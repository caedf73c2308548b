import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { EntryState } from '#src/lib/schemas.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes, App } from '#src/server/types.ts'
import { followSchedule } from '#src/features/content/server/schedule.ts'
import { mayAlso, requireShown } from '#src/features/people/sign-in/server/route-access.ts'
import { homeInformation, homeMessage } from '../contract.ts'
import {
  emergencyBanner,
  findNextHomeChange,
  homeInformationContent,
  homeMessageContent,
  readHomeInformations,
  readHomeMessages,
} from './service.ts'
import { sampleContent } from '#company/sample-content.ts'
import { homeInformations, homeMessages } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { home } from '../feature.ts'
import { hasRight } from '#src/lib/rights.ts'

const access = { read: 'public', write: 'home read_write' } as const

/** With `drafts`, staff get all: the current one first, then those that are drafts, wait or ended. */
const querystring = z.strictObject({ drafts: z.literal('1').optional() })
type ListRequest = FastifyRequest<{ Querystring: z.infer<typeof querystring> }>
/** An answer that depends on who asks is never stored for others. */
const isForAll = (request: ListRequest) => request.query.drafts === undefined
const wantsAll = async (request: ListRequest) => !isForAll(request) && (await mayAlso(request, 'home', 'read_only'))
const checkReader = (request: FastifyRequest, { state }: { state: EntryState }) => requireShown(request, 'home', state === 'open')

const messageList = z.array(homeMessage)
const informationList = z.array(homeInformation)

const homeMessageRoutes: Routes = async (app) => {
  followSchedule(app, 'home', () => findNextHomeChange(app.db))
  app.get(
    '/',
    { config: { access: 'public' }, schema: { querystring, response: { 200: messageList } } },
    async (request, reply) => {
      if (await wantsAll(request)) return homeMessageContent.findAll(app.db)
      const shown = await readHomeMessages(app)
      return isForAll(request) ? sendShared(request, reply, shown, messageList) : shown
    },
  )
  registerContentRoutes(app, { content: homeMessageContent, output: homeMessage, access, checkReader })
}

const homeInformationRoutes: Routes = async (app) => {
  app.get(
    '/',
    { config: { access: 'public' }, schema: { querystring, response: { 200: informationList } } },
    async (request, reply) => {
      if (await wantsAll(request)) return homeInformationContent.findAll(app.db)
      const shown = await readHomeInformations(app)
      return isForAll(request) ? sendShared(request, reply, shown, informationList) : shown
    },
  )
  registerContentRoutes(app, { content: homeInformationContent, output: homeInformation, access, checkReader })
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
  impersonalColumns: [
    {
      columns: [
        ...[homeMessages.title, homeMessages.titleEn, homeMessages.message, homeMessages.messageEn, homeMessages.englishOlder],
        ...[homeInformations.title, homeInformations.titleEn, homeInformations.description],
        ...[homeInformations.descriptionEn, homeInformations.englishOlder],
      ],
      reason: 'texts that the company publishes',
    },
  ],
  content: [homeMessageContent, homeInformationContent],
  pageServices: (app) => ({ home: pageServices(app) }),
  findEmergency: async (app) => (await readHomeMessages(app)).length > 0,
  emergencyNotice: emergencyBanner,
  counter: {
    shape: { banner: homeMessage.nullable() },
    async find(app, { rights }) {
      if (!hasRight(rights, 'home', 'read_only')) return {}
      return { banner: (await readHomeMessages(app))[0] ?? null }
    },
  },
  async findFigures(app, { rights }) {
    if (!hasRight(rights, 'home', 'read_only')) return {}
    const isOn = (await readHomeMessages(app)).length > 0
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
