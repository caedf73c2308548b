import { z } from 'zod'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import { gadget } from '../contract.ts'
import { gadgetContent, readGadgets } from './service.ts'

const response = { 200: z.array(gadget) }

export const gadgetRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { response } }, async (request, reply) =>
    sendShared(request, reply, await readGadgets(app), response[200]),
  )
  registerContentRoutes(app, {
    content: gadgetContent,
    output: gadget,
    access: { read: 'public', write: 'gadgets read_write' },
  })
}
