import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Routes } from '#src/server/types.ts'
import { needs } from '../../auth/server/guard.ts'
import { newPasswordInput, user, userInput } from '../contract.ts'
import { sendInvitation } from './password-links.ts'
import {
  createUser,
  deleteUser,
  findAllUsers,
  findUser,
  resetUserTotp,
  resetUserTotpChances,
  setUserLocked,
  setUserPassword,
  updateUser,
} from './service.ts'

const params = z.strictObject({ id: idParam })
const nothing = { params, response: { 204: z.null() } }
const canRead = { preHandler: needs('users', 'read_only') }
const canWrite = { preHandler: needs('users', 'read_write') }
const canAdminister = { preHandler: needs('users', 'administrator') }

export const userRoutes: Routes = async (app) => {
  const { db } = app
  const endSessions = (hashes: string[]) => {
    for (const hash of hashes) app.events.sessionEnded(hash)
  }

  app.get('/', { ...canRead, schema: { response: { 200: z.array(user) } } }, () => findAllUsers(db))
  app.get('/:id', { ...canRead, schema: { params, response: { 200: user } } }, (request) => findUser(db, request.params.id))
  app.post('/', { ...canWrite, schema: { body: userInput, response: { 201: user } } }, async (request, reply) => {
    const created = await createUser(db, request.actor, request.author, request.body)
    await sendInvitation(app, request, created)
    return reply.code(201).send(created)
  })
  app.put('/:id', { ...canWrite, schema: { params, body: userInput, response: { 200: user } } }, (request) =>
    updateUser(db, request.actor, request.author, request.params.id, request.body),
  )
  app.delete('/:id', { ...canAdminister, schema: nothing }, async (request, reply) => {
    endSessions(await deleteUser(db, request.actor, request.author, request.params.id))
    return reply.code(204).send(null)
  })
  app.put('/:id/lock', { ...canAdminister, schema: nothing }, async (request, reply) => {
    endSessions(await setUserLocked(db, request.actor, request.author, request.params.id, true))
    return reply.code(204).send(null)
  })
  app.put('/:id/unlock', { ...canAdminister, schema: nothing }, async (request, reply) => {
    await setUserLocked(db, request.actor, request.author, request.params.id, false)
    return reply.code(204).send(null)
  })
  app.delete('/:id/totp', { ...canAdminister, schema: nothing }, async (request, reply) => {
    endSessions(await resetUserTotp(db, request.actor, request.author, request.params.id))
    return reply.code(204).send(null)
  })
  app.post('/:id/totp_chances', { ...canAdminister, schema: nothing }, async (request, reply) => {
    await resetUserTotpChances(db, request.actor, request.author, request.params.id)
    return reply.code(204).send(null)
  })
  app.put('/:id/password', { ...canAdminister, schema: { ...nothing, body: newPasswordInput } }, async (request, reply) => {
    endSessions(await setUserPassword(db, request.actor, request.author, request.params.id, request.body.new_password))
    return reply.code(204).send(null)
  })
  app.post('/:id/invitation', { ...canWrite, schema: nothing }, async (request, reply) => {
    await sendInvitation(app, request, await findUser(db, request.params.id))
    return reply.code(204).send(null)
  })
}
