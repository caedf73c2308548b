import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { idParam } from '#src/lib/schemas.ts'
import type { Routes } from '#src/server/types.ts'
import { requestOrigin } from '#src/server/http/xsrf.ts'
import { passwordBodyLimit } from '../../sign-in/server/routes.ts'
import { publishEndedSessions } from '../../sign-in/server/sessions.ts'
import {
  groupChoice,
  heldWork,
  invitation,
  invitedUser,
  leavingQuery,
  newPasswordInput,
  user,
  userInput,
} from '../../contract.ts'
import {
  endUserSessions,
  resetUserTotp,
  resetUserTotpChances,
  sendInvitation,
  setUserPassword,
  changesAccess,
  createUser,
  deleteUser,
  findGroupChoices,
  findHeldWork,
  lockUser,
  unlockUser,
  updateUser,
} from './service.ts'
import { findAllUsers, findUser } from './find-user.ts'
import { scheduleFormerUsers } from './former-users.ts'

const params = z.strictObject({ id: idParam })
const updated = { params, response: { 200: user } }
const deleted = { params, response: { 204: z.null() } }
const canRead = { config: { access: 'users read_only' } } as const
const canWrite = { config: { access: 'users read_write' } } as const
const canAdminister = { config: { access: 'users administrator' } } as const
/** Changes to how a user signs in require a recent sign-in. */
const recentSignIn = { recentSignIn: true } as const

export const userRoutes: Routes = async (app) => {
  const { db, events } = app
  scheduleFormerUsers(app)
  const by = ({ actor, author }: Pick<FastifyRequest, 'actor' | 'author'>) => ({ actor, author })

  app.get('/', { ...canRead, schema: { response: { 200: z.array(user) } } }, () => findAllUsers(db))
  app.get('/groups', { ...canRead, schema: { response: { 200: z.array(groupChoice) } } }, (request) =>
    findGroupChoices(db, request.actor),
  )
  app.get('/:id', { ...canRead, schema: updated }, (request) => findUser(db, request.params.id))
  app.post(
    '/',
    { config: { ...canWrite.config, ...recentSignIn }, schema: { body: userInput, response: { 201: invitedUser } } },
    async (request, reply) => reply.code(201).send(await createUser(app, by(request), requestOrigin(request), request.body)),
  )
  app.put(
    '/:id',
    { config: { ...canWrite.config, recentSignIn: { when: changesAccess } }, schema: { ...updated, body: userInput } },
    (request) => updateUser(app, by(request), request.params.id, request.body),
  )
  app.get('/:id/held', { ...canWrite, schema: { params, response: { 200: heldWork } } }, (request) =>
    findHeldWork(app, request.actor, request.params.id),
  )
  app.delete('/:id', { ...canWrite, schema: { ...deleted, querystring: leavingQuery } }, async (request, reply) => {
    const { ended, publish } = await deleteUser(app, by(request), request.params.id, request.query)
    publishEndedSessions(events, ended)
    events.signedOff(request.params.id)
    await publish()
    return reply.code(204).send(null)
  })
  app.post(
    '/:id/invitation',
    { config: { ...canWrite.config, ...recentSignIn }, schema: { params, response: { 200: invitation } } },
    (request) => sendInvitation(app, by(request), requestOrigin(request), request.params.id),
  )

  app.put('/:id/lock', { ...canAdminister, schema: { ...updated, querystring: leavingQuery } }, async (request) => {
    const { ended, publish } = await lockUser(app, by(request), request.params.id, request.query)
    publishEndedSessions(events, ended)
    events.signedOff(request.params.id)
    await publish()
    return findUser(db, request.params.id)
  })
  app.put('/:id/unlock', { config: { ...canAdminister.config, ...recentSignIn }, schema: updated }, async (request) => {
    await unlockUser(app, by(request), request.params.id)
    return findUser(db, request.params.id)
  })
  app.delete('/:id/totp', { config: { ...canAdminister.config, ...recentSignIn }, schema: deleted }, async (request, reply) => {
    publishEndedSessions(events, await resetUserTotp(app, by(request), request.params.id))
    return reply.code(204).send(null)
  })
  app.post('/:id/totp_chances', { config: { ...canAdminister.config, ...recentSignIn }, schema: updated }, async (request) => {
    await resetUserTotpChances(app, by(request), request.params.id)
    return findUser(db, request.params.id)
  })
  app.put(
    '/:id/password',
    {
      config: { ...canAdminister.config, ...recentSignIn },
      bodyLimit: passwordBodyLimit,
      schema: { ...updated, body: newPasswordInput },
    },
    async (request) => {
      publishEndedSessions(events, await setUserPassword(app, by(request), request.params.id, request.body.new_password))
      return findUser(db, request.params.id)
    },
  )
  app.delete('/:id/sessions', { ...canAdminister, schema: deleted }, async (request, reply) => {
    publishEndedSessions(events, await endUserSessions(app, by(request), request.params.id))
    events.signedOff(request.params.id)
    return reply.code(204).send(null)
  })
}
