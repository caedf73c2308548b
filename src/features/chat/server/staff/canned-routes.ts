import { z } from 'zod'
import { registerEntryRoutes } from '#src/features/content/server/entry-routes.ts'
import type { Routes } from '#src/server/types.ts'
import { cannedInput, cannedReply } from '../../console-contract.ts'
import { cannedEntries } from '../canned-service.ts'

/** `/api/chat/canned_replies`: read at the console, kept by who answers chats. */
export const cannedRoutes: Routes = async (app) => {
  const access = { read: 'chat read_only', write: 'chat read_write' } as const
  app.get('/', { config: { access: access.read }, schema: { response: { 200: z.array(cannedReply) } } }, () =>
    cannedEntries.findAll(app.db),
  )
  registerEntryRoutes(app, {
    entries: cannedEntries,
    input: cannedInput,
    output: cannedReply,
    access,
  })
}
