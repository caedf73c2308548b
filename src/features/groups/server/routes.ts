import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { group, groupInput } from '../contract.ts'
import { createGroup, deleteGroup, findAllGroups, findGroup, updateGroup } from './service.ts'

const params = z.strictObject({ id: idParam })
const canRead = { preHandler: needs('groups', 'read_only') }
/** The rights of a group can hurt: they take the highest level (contract.md 4). */
const canAdminister = { preHandler: needs('groups', 'administrator') }

export const groupRoutes: Routes = async (app) => {
  app.get('/', { ...canRead, schema: { response: { 200: z.array(group) } } }, () => findAllGroups(app.db))
  app.get('/:id', { ...canRead, schema: { params, response: { 200: group } } }, (request) => findGroup(app.db, request.params.id))
  app.post('/', { ...canAdminister, schema: { body: groupInput, response: { 201: group } } }, async (request, reply) =>
    reply.code(201).send(await createGroup(app.db, request.actor, request.author, request.body)),
  )
  app.put('/:id', { ...canAdminister, schema: { params, body: groupInput, response: { 200: group } } }, (request) =>
    updateGroup(app.db, request.actor, request.author, request.params.id, request.body),
  )
  app.delete('/:id', { ...canAdminister, schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    await deleteGroup(app.db, request.actor, request.author, request.params.id)
    return reply.code(204).send(null)
  })
}
