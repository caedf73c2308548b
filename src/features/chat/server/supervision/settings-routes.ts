import type { Routes } from '#src/server/types.ts'
import type { FastifyRequest } from 'fastify'
import type { ChatSettings } from '../../settings-contract.ts'
import { chatSettings, chatSettingsInput } from '../../settings-contract.ts'
import { chatSettingsName, findChatSettings, saveChatSettings } from './settings.ts'

/** `/api/chat/settings`: read by everybody at the console, changed by who supervises it. */
export const chatSettingsRoutes: Routes = async (app) => {
  const { db } = app
  app.get('/', { config: { access: 'chat read_only' }, schema: { response: { 200: chatSettings } } }, () => findChatSettings(db))
  app.put(
    '/',
    {
      config: { access: 'chat administrator', recentSignIn: { when: changesEmbedOrigins } },
      schema: { body: chatSettingsInput, response: { 200: chatSettings } },
    },
    async (request) => {
      const saved = await saveChatSettings(db, request.author, request.body)
      app.events.outdated(chatSettingsName)
      return saved
    },
  )
}

/** Whether a save changes which other sites may show the chat and read what is said there. */
async function changesEmbedOrigins({ server, body }: FastifyRequest) {
  const [stored, wanted] = [(await findChatSettings(server.db)).embed_origins, (body as ChatSettings).embed_origins]
  return stored.length !== wanted.length || wanted.some((origin) => !stored.includes(origin))
}
