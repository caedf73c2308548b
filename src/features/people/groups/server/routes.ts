import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Routes } from '#src/server/types.ts'
import { group, groupInput } from '../../contract.ts'
import { changesRights, createGroup, deleteGroup, findAllGroups, findGroup, updateGroup } from './service.ts'

const params = z.strictObject({ id: idParam })
const canRead = { config: { access: 'groups read_only' } } as const
/** Only administrators may change the rights of a group; the service checks what changed. */
const canWrite = { config: { access: 'groups read_write' } } as const

export const groupRoutes: Routes = async (app) => {
  app.get('/', { ...canRead, schema: { response: { 200: z.array(group) } } }, () => findAllGroups(app.db))
  app.get('/:id', { ...canRead, schema: { params, response: { 200: group } } }, (request) => findGroup(app.db, request.params.id))
  app.post(
    '/',
    { config: { ...canWrite.config, recentSignIn: true }, schema: { body: groupInput, response: { 201: group } } },
    async (request, reply) => reply.code(201).send(await createGroup(app, request.actor, request.author, request.body)),
  )
  app.put(
    '/:id',
    {
      config: { ...canWrite.config, recentSignIn: { when: changesRights } },
      schema: { params, body: groupInput, response: { 200: group } },
    },
    (request) => updateGroup(app, request.actor, request.author, request.params.id, request.body),
  )
  app.delete('/:id', { ...canWrite, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await deleteGroup(app.db, request.actor, request.author, request.params.id)
    return reply.code(204).send(null)
  })
}
