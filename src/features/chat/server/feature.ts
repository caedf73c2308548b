import { settingsStay } from '#src/server/personal-data.ts'
import { impersonalColumns, personalColumns } from './personal-columns.ts'
import { holidayImporter } from './holiday-importer.ts'
import { replyImporter } from './importers.ts'
import { chatBlocks, chatEvents, chatFigures, chatMessages, chats, chatSettingsTable, pushDevices, pushKeys } from './table.ts'
import { and, asc, eq } from 'drizzle-orm'
import type { Holding } from '#src/features/content/server/feature.ts'
import { requireRight } from '#src/features/people/sign-in/server/route-access.ts'
import { attachedFileMax } from '../values.ts'
import { serverFeature } from '#src/features/content/server/feature.ts'
import { sameName } from '#src/features/content/palette/server/routes.ts'
import type { App } from '#src/server/types.ts'
import { chat } from '../feature.ts'
import { findAvailability, findChatState } from './availability.ts'
import { cannedContent, cannedRoutes, consoleRoutes } from './console-routes.ts'
import { eraseEmptyChats } from './empty-chats.ts'
import { broadcastOf } from './broadcast.ts'
import { releaseChatsOf } from './ownership.ts'
import { chatEmbedRoutes, serviceWorkerRoutes } from './embed-routes.ts'
import { staffFileRoutes } from './files.ts'
import { chatData } from './personal-data.ts'
import { pushData, pushRoutes } from './push.ts'
import { chatFiguresRoutes } from './reports.ts'
import { chatRoutes } from './routes.ts'
import { chatSettingsRoutes, findChatSettings, storedChatSettings } from './settings.ts'
import { counterChat } from '../contract.ts'
import { findNamedChats } from './staff-chats.ts'
import { lampOf } from '#src/lib/availability.ts'
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

/** Conversations in progress go back to the queue at once, whatever becomes of the rest. */
const heldChats: Holding = {
  kind: 'chats',
  describe: (count) => ({
    fr: count < 2 ? `${count} conversation en cours` : `${count} conversations en cours`,
    en: count === 1 ? '1 conversation in progress' : `${count} conversations in progress`,
  }),
  fate: {
    fr: 'De retour dans la file d’attente à l’instant; le visiteur en est avisé.',
    en: 'Back in the waiting queue at once; the visitor is notified.',
  },
  async find({ db }, userId, { rights }) {
    const own = await db
      .select({ id: chats.id, name: chats.clientName, business: chats.clientBusiness })
      .from(chats)
      .where(and(eq(chats.userId, userId), eq(chats.status, 'claimed')))
      .orderBy(asc(chats.id))
    const label = ({ name, business, id }: (typeof own)[number]) => [name, business].filter(Boolean).join(', ') || `#${id}`
    const mayRead = hasRight(rights, 'chat', 'read_only')
    return {
      count: own.length,
      rows: mayRead ? own.map((one) => ({ label: label(one), path: `/admin/chat?chat=${one.id}` })) : [],
    }
  },
  async release(app, tx, _author, { userId, name }) {
    const { ids, offers } = await releaseChatsOf(tx, userId, name)
    return async () => {
      const broadcast = broadcastOf(app)
      for (const id of ids) {
        broadcast.released(userId, { id, reason: 'left' })
        broadcast.queue(id)
      }
      for (const { id, offer } of offers) broadcast.offerEnded(id, offer, 'withdrawn')
      for (const id of new Set([...ids, ...offers.map((one) => one.id)])) broadcast.chatSoon(id)
      if (ids.length > 0) await broadcast.presence()
    }
  },
}

export const chatServer = serverFeature(chat, {
  uploads: { chat_files: { maxBytes: attachedFileMax, check: ({ actor }) => requireRight(actor, 'chat', 'read_write') } },
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
  settings: storedChatSettings,
  counter: {
    shape: { chat: counterChat },
    find: async (app) => {
      const found = await findChatState(app, app.realtime.io.of('/staff'))
      return { chat: { ...found, lamp: lampOf(found) } }
    },
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
  importers: [replyImporter, holidayImporter],
  pageServices: (app) => ({ chat: pageServices(app) }),
  holdings: [heldChats],
  userColumns: [chats.userId, chatMessages.userId, chatEvents.userId, chatFigures.userId],
  personalData: [chatData, pushData],
  personalColumns,
  impersonalColumns,
  tableEnds: [
    { tables: [chats], label: { fr: 'Conversations', en: 'Conversations' }, kind: 'chats' },
    {
      tables: [pushDevices],
      label: { fr: 'Appareils des techniciens', en: 'Devices of technicians' },
      kind: 'push_devices',
    },
    {
      tables: [],
      label: {
        fr: 'Conversations où le visiteur n’a rien écrit, après son départ',
        en: 'Conversations in which the visitor wrote nothing, after they left',
      },
      days: 1,
      purge: eraseEmptyChats,
    },
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
