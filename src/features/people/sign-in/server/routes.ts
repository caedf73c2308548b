import { z } from 'zod'
import { readSessionCookie } from '#src/server/http/xsrf.ts'
import type { App, Routes } from '#src/server/types.ts'
import { forgetFirstPassword } from '#src/server/first-password.ts'
import { linkPasswordInput, codeInput, forgottenInput, loginInput } from '../../contract.ts'
import { sendForgottenLink, setPasswordByLink } from '../../users/server/password-links.ts'
import { markBrowser, readMark } from './login-attempts.ts'
import { confirmLogIn, logIn, profileSchema } from './service.ts'
import { clearSession, leaveSession, placeOf, setSession, findActor, purgeSessions, publishEndedSessions } from './sessions.ts'

const codesPerAddress = { points: 60, seconds: 900 }
const forgottenPerAddress = { points: 5, seconds: 900 }
/** The schema rejects a password of a megabyte like any other that is too long. */
export const passwordBodyLimit = 2 * 1024 * 1024

export const authRoutes: Routes = async (app) => {
  sweepSessions(app)
  const signInResponse = z.discriminatedUnion('status', [
    z.object({ status: z.literal('connected'), profile: profileSchema(app) }),
    z.object({ status: z.literal('totp_required') }),
  ])

  app.post(
    '/login',
    {
      config: { access: 'public' },
      bodyLimit: passwordBodyLimit,
      schema: { body: loginInput, response: { 200: signInResponse } },
    },
    async (request, reply) => {
      const knownBrowser = await readMark(request, request.body.username)
      const { sessionId, profile, ended } = await logIn(app, { ...request.body, knownBrowser }, placeOf(request))
      const left = await leaveSession(request)
      // Somebody else signs in here.
      if (left !== null && profile && profile.id_user !== left) app.events.signedOff(left)
      publishEndedSessions(app.events, ended)
      setSession(request, reply, sessionId)
      if (!profile) return { status: 'totp_required' as const }
      forgetFirstPassword(app.config.dataDir)
      await markBrowser(request, reply, profile.username)
      return { status: 'connected' as const, profile }
    },
  )

  app.post(
    '/totp',
    { config: { access: 'public' }, schema: { body: codeInput, response: { 200: signInResponse } } },
    async (request, reply) => {
      await app.limits.take('login-code', request.ip, codesPerAddress)
      const pending = readSessionCookie(request)
      const { sessionId, profile, ended } = await confirmLogIn(app, pending, request.body.code, placeOf(request))
      await app.limits.refund('login-code', request.ip, codesPerAddress)
      publishEndedSessions(app.events, ended)
      setSession(request, reply, sessionId)
      forgetFirstPassword(app.config.dataDir)
      await markBrowser(request, reply, profile.username)
      return { status: 'connected' as const, profile }
    },
  )

  app.post('/logoff', { config: { access: 'public' }, schema: { response: { 204: z.null() } } }, async (request, reply) => {
    const left = await leaveSession(request)
    if (left !== null) app.events.signedOff(left)
    clearSession(request, reply)
    return reply.code(204).send(null)
  })

  // The response is the same for a known and an unknown address, and sent before the work that differs.
  app.post(
    '/forgotten',
    { config: { access: 'public' }, schema: { body: forgottenInput, response: { 204: z.null() } } },
    async (request, reply) => {
      await app.limits.take('forgotten-password', request.ip, forgottenPerAddress)
      setImmediate(() => {
        sendForgottenLink(app, request.body.email).catch((error: unknown) =>
          request.log.error({ err: error }, 'no link was sent'),
        )
      })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/password',
    {
      config: { access: 'public' },
      bodyLimit: passwordBodyLimit,
      schema: { body: linkPasswordInput, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await app.limits.take('password-link', request.ip, codesPerAddress)
      publishEndedSessions(app.events, await setPasswordByLink(app, request.ip, request.body.token, request.body.new_password))
      return reply.code(204).send(null)
    },
  )

  app.get('/me/is_connected', { config: { access: 'public' }, schema: { response: { 200: z.boolean() } } }, async (request) => {
    return (await findActor(app.db, readSessionCookie(request))) !== null
  })
}

const everyMs = 60_000

/** Ends expired sessions without waiting for a request: their open sockets must close too. */
function sweepSessions(app: App) {
  const timer = setInterval(() => {
    purgeSessions(app.db)
      .then((ended) => publishEndedSessions(app.events, ended))
      .catch((error: unknown) => app.log.warn({ err: error }, 'sessions were not swept'))
  }, everyMs)
  timer.unref()
  app.addHook('preClose', async () => clearInterval(timer))
}
