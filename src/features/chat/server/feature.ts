import { settingsStay } from '#src/server/personal-data.ts'
import { chatBlocks, chats, chatSettingsTable, pushKeys } from './table.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { sameName } from '#src/features/content/palette/server/routes.ts'
import type { App } from '#src/server/types.ts'
import { chat } from '../feature.ts'
import { findAvailability, findChatState } from './availability.ts'
import { cannedContent, cannedRoutes, consoleRoutes } from './console-routes.ts'
import { chatEmbedRoutes, serviceWorkerRoutes } from './embed-routes.ts'
import { staffFileRoutes } from './files.ts'
import { chatData } from './personal-data.ts'
import { pushData, pushRoutes } from './push.ts'
import { chatFiguresRoutes } from './reports.ts'
import { chatRoutes } from './routes.ts'
import { chatSettingsRoutes, findChatSettings } from './settings.ts'
import { counterChat } from '../contract.ts'
import { findNamedChats } from './staff-chats.ts'
import { hasRight } from '#src/lib/rights.ts'

declare module '#src/server/pages/pages.ts' {
  interface PageServices {
    chat: ReturnType<typeof pageServices>
  }
}

const pageServices = (app: App) => ({
  findAvailability: () => findAvailability(app.db, app.realtime.io.of('/staff')),
  findState: () => findChatState(app, app.realtime.io.of('/staff')),
})

export const chatServer = serverFeature(chat, {
  api: {
    '/public_api/chat': chatRoutes,
    '/api/chat': consoleRoutes,
    '/api/chat/canned_replies': cannedRoutes,
    '/api/chat/files': staffFileRoutes,
    '/api/chat/figures': chatFiguresRoutes,
    '/api/chat/push': pushRoutes,
    '/api/chat/settings': chatSettingsRoutes,
  },
  routes: { '/webchat': chatEmbedRoutes, '/admin': serviceWorkerRoutes },
  content: [cannedContent],
  counter: {
    shape: { chat: counterChat },
    find: async (app) => ({ chat: await findChatState(app, app.realtime.io.of('/staff')) }),
  },
  async findSetup(app, { rights }) {
    if (!hasRight(rights, 'chat', 'administrator')) return []
    return [
      {
        name: 'hours',
        short: { fr: 'Heures', en: 'Hours' },
        label: { fr: 'Heures d’ouverture', en: 'Business hours' },
        hint: {
          fr: 'Les visiteurs voient encore les heures fournies avec le produit.',
          en: 'Visitors still see the hours that came with the product.',
        },
        path: '/admin/chat/settings',
        is_done: (await findChatSettings(app.db)).version > 0,
      },
    ]
  },
  async findInPalette(app, { rights }, search) {
    if (!hasRight(rights, 'chat', 'read_only')) return []
    return (await findNamedChats(app.db, search)).map(({ id, client_name, client_business, found, last_message }) => ({
      group: 'work' as const,
      label: sameName([client_name, client_business].filter(Boolean).join(', ') || `#${id}`),
      hint: { fr: `Conversation ${id} : ${found ?? last_message}`, en: `Conversation ${id}: ${found ?? last_message}` },
      path: `/admin/chat?chat=${id}`,
      page: '/admin/chat',
    }))
  },
  pageServices: (app) => ({ chat: pageServices(app) }),
  personalData: [chatData, pushData],
  tableEnds: [
    { tables: [chats], label: { fr: 'Conversations', en: 'Conversations' }, kind: 'chats' },
    {
      tables: [chatBlocks],
      label: { fr: 'Visiteurs bloqués', en: 'Blocked visitors' },
      reason: {
        fr: 'Jusqu’à la date choisie; sans date, jusqu’à ce que le personnel débloque le visiteur.',
        en: 'Until the date chosen; without a date, until staff unblock the visitor.',
      },
    },
    {
      tables: [chatSettingsTable, pushKeys],
      label: { fr: 'Réglages du clavardage', en: 'Live chat settings' },
      reason: settingsStay,
    },
  ],
})
