import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import type { App } from '#src/server/types.ts'
import { enforceRouteAccess } from './route-access.ts'

const handler = async () => 'done'

/** Starts a product with these routes. */
async function startWith(register: (app: App) => void) {
  const app = Fastify() as unknown as App
  enforceRouteAccess(app)
  await app.register(async (scope: App) => register(scope), { prefix: '/api' })
  await app.ready()
  return app
}

describe('the start', () => {
  test('fails where a route declares no access, and names it', async () => {
    const start = startWith((app) => app.get('/forgotten', handler))
    await expect(start).rejects.toThrow(/do not declare who may use them.*GET \/api\/forgotten/)
  })

  test.each(['post', 'put', 'patch', 'delete'] as const)(
    'fails where a %s declares no protection, and names it',
    async (method) => {
      const start = startWith((app) => app[method]('/forgotten', { config: { access: 'jobs read_write' } }, handler))
      await expect(start).rejects.toThrow(`declare no protection (config.protection): ${method.toUpperCase()} /api/forgotten.`)
    },
  )

  test('fails where a route for every method declares no protection', async () => {
    const start = startWith((app) => app.all('/*', { config: { access: 'public' } }, handler))
    await expect(start).rejects.toThrow('POST')
  })

  test('fails where the secret of an address is not in it', async () => {
    const start = startWith((app) => app.post('/signals', { config: { access: 'public', protection: 'secret' } }, handler))
    await expect(start).rejects.toThrow('These routes have no secret in their address: POST /api/signals.')
  })

  test('succeeds where all is declared; a secret in the address needs no token', async () => {
    const app = await startWith((scope) => {
      scope.get('/read', { config: { access: 'public' } }, handler)
      scope.post('/signals/:token', { config: { access: 'public', protection: 'secret' } }, handler)
    })
    const read = await app.inject('/api/read')
    const signal = await app.inject({ method: 'POST', url: '/api/signals/abc' })
    expect([read.statusCode, signal.statusCode]).toEqual([200, 200])
    expect(app.declaredRoutes.map(({ url }) => url)).toContain('/api/signals/:token')
  })
})
