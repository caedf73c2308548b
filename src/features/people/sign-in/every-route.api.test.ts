import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { areas, everyRight, startTestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { groups } from '../server/table.ts'
import type { Area, Rights } from '#src/lib/rights.ts'
import { levels } from '#src/lib/rights.ts'
import type { Access } from '#src/server/types.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp({ environment: { METRICS_TOKEN: 'a-token-of-the-test' } })
})
afterAll(() => product.stop())

type Level = (typeof levels)[number]
type Guarded = { route: string; area: Area; level: Level; lower: Level }

/** Routes of the running product by their declared access, except the catch-all ones. */
const routes = () =>
  product.app.declaredRoutes.flatMap(({ method, url, config }) =>
    url.endsWith('*')
      ? []
      : [method]
          .flat()
          .filter((one) => one !== 'HEAD')
          .map((one) => ({ route: `${one} ${url}`, access: config?.access })),
  )

const routesOf = (...wanted: Access[]) =>
  routes().flatMap(({ route, access }) => (access && wanted.includes(access) ? [route] : []))

const commandRoutes = () => routes().flatMap(({ route, access }) => (String(access).startsWith('command ') ? [route] : []))

/** Routes that require a right, with the level just below the required one. */
async function guardedRoutes() {
  const found: Guarded[] = []
  for (const { route, access } of routes()) {
    const given = typeof access === 'object' ? `${access.area} ${await access.findLevel(product.db)}` : String(access)
    const [area, level] = given.split(' ') as [Area, Level]
    const isRight = areas.includes(area) && levels.includes(level)
    if (isRight) found.push({ route, area, level, lower: levels[levels.indexOf(level) - 1] ?? 'none' })
  }
  return found
}

async function statusOf(client: TestClient, route: string) {
  const [method = '', path = ''] = route.split(' ')
  const address = path.replace(':id_session', '0'.repeat(64)).replace(':id', '999999').replace(/:\w+/, 'x')
  const body = method === 'POST' || method === 'PUT' ? {} : undefined
  const { status } = await client.send(method, address, body)
  if (method === 'GET' && status !== (await client.send('HEAD', address)).status) throw new Error(`HEAD differs: ${route}`)
  return status
}

/** Routes whose response to this user is not the expected one. */
async function surprises(client: TestClient, routes: readonly string[], isRight: (status: number) => boolean) {
  const found: string[] = []
  for (const route of routes) {
    const status = await statusOf(client, route)
    if (!isRight(status)) found.push(`${route}: ${status}`)
  }
  return found
}

const isLetIn = (status: number) => status !== 401 && status !== 403 && status < 500
const isRefused = (status: number) => status === 403
const isUnknown = (status: number) => status === 401
const namesOf = (routes: readonly { route: string }[]) => routes.map(({ route }) => route)

test('tests every route by its kind of access', async () => {
  const walked = [...routesOf('public', 'stream', 'signed-in', 'metrics'), ...commandRoutes(), ...namesOf(await guardedRoutes())]
  expect(walked.toSorted()).toEqual(
    routes()
      .map(({ route }) => route)
      .toSorted(),
  )
  expect(walked.length).toBeGreaterThan(100)
})

describe('a route', () => {
  test('public routes accept anonymous callers; every other route returns 401', async () => {
    const stranger = await product.client()
    const closed = [...namesOf(await guardedRoutes()), ...routesOf('signed-in', 'metrics'), ...commandRoutes()]
    expect(await surprises(stranger, routesOf('public'), isLetIn)).toEqual([])
    expect(await surprises(stranger, closed, isUnknown)).toEqual([])
  })

  test('for server commands or metrics rejects every user', async () => {
    const staff = await product.signIn()
    expect(await surprises(staff, [...commandRoutes(), ...routesOf('metrics')], isUnknown)).toEqual([])
  })

  test('rejects a user with all other rights, and accepts one with its right only', async () => {
    const person = await product.signIn()
    const allow = (rights: Partial<Rights>) =>
      product.db.update(groups).set({ rights: rights }).where(eq(groups.id, person.user.groupId))
    for (const sameRight of Map.groupBy(await guardedRoutes(), ({ area, level }) => `${area} ${level}`).values()) {
      const [{ area, level, lower } = { area: 'users', level: 'none', lower: 'none' }] = sameRight
      await allow({ ...everyRight, [area]: lower })
      expect(await surprises(person, namesOf(sameRight), isRefused)).toEqual([])
      await allow({ [area]: level })
      expect(await surprises(person, namesOf(sameRight), isLetIn)).toEqual([])
    }
  })

  test.each([
    ['whose group is disabled', { enabled: false }],
    ['whose group requires a two-factor they have not set up', { requiresTotp: true }],
  ])('rejects a user %s', async (_name, change) => {
    const person = await product.signIn()
    await product.db.update(groups).set(change).where(eq(groups.id, person.user.groupId))
    expect(await surprises(person, namesOf(await guardedRoutes()), isRefused)).toEqual([])
  })
})

test('every declared kind of access is documented', async () => {
  const documented = readFileSync('docs/security/authentication.md', 'utf8').split('## Wrong tries')[0] ?? ''
  const rights = new Set((await guardedRoutes()).map(({ route }) => route))
  const ways = new Set(
    routes().flatMap(({ route, access }) => (rights.has(route) ? [] : [String(access).replace(/^command .*/, 'command')])),
  )
  // Both kinds of access are granted by a session.
  expect([...ways].filter((way) => way !== 'signed-in' && !documented.includes(`\`${way}\``))).toEqual([])
})
