import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/server/testing/test-app.ts'
import { startTestApp } from '#src/server/testing/test-app.ts'
import type { TestClient } from '#src/server/testing/test-client.ts'
import { groups } from '../groups/server/table.ts'
import type { Area, Level, Rights } from '../groups/values.ts'
import { completeRights, everyRight, levels } from '../groups/values.ts'
import type { Rule } from './every-route.ts'
import { everyRoute } from './every-route.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

/** Every route as the router prints it: a tree whose lines go on from those above. */
function registeredRoutes() {
  const found = new Set<string>()
  const above: string[] = []
  for (const line of product.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? []
    if (!part) continue
    const depth = indent.length / 4
    above.length = depth
    above.push(part)
    const path = above.join('').replace(/(?<=.)\/$/, '')
    for (const method of methods.split(', ')) if (method !== 'HEAD') found.add(`${method} ${path}`)
  }
  return [...found].filter((route) => !route.endsWith(' *')).toSorted()
}

const routesOf = (...rules: Rule[]) => Object.keys(everyRoute).filter((route) => rules.includes(everyRoute[route] ?? 'open'))
const guarded = Object.entries(everyRoute).flatMap(([route, rule]) => {
  const [area, level] = rule.split(' ') as [Area, Level | undefined]
  return level ? [{ route, area, level, lower: levels[levels.indexOf(level) - 1] ?? 'none' }] : []
})
const byRight = Map.groupBy(guarded, ({ area, level }) => `${area} ${level}`)

async function ask(client: TestClient, route: string) {
  const [method = '', path = ''] = route.split(' ')
  const address = path.replace(':id_session', '0'.repeat(64)).replace(':id', '999999').replace(/:\w+/, 'x')
  const body = method === 'POST' || method === 'PUT' ? {} : undefined
  const { status } = await client.send(method, address, body)
  if (method === 'GET' && status !== (await client.send('HEAD', address)).status) throw new Error(`HEAD differs: ${route}`)
  return status
}

/** What routes answer to one person, where it is not what it ought to be. */
async function surprises(client: TestClient, routes: readonly string[], isRight: (status: number) => boolean) {
  const found: string[] = []
  for (const route of routes) {
    const status = await ask(client, route)
    if (!isRight(status)) found.push(`${route}: ${status}`)
  }
  return found
}

const isLetIn = (status: number) => status !== 401 && status !== 403 && status < 500
const isRefused = (status: number) => status === 403
const isUnknown = (status: number) => status === 401
const namesOf = (routes: readonly { route: string }[]) => routes.map(({ route }) => route)

test('every route is in the list of who may use it, and the list holds no other', () => {
  expect(registeredRoutes()).toEqual(Object.keys(everyRoute).toSorted())
})

describe('a route', () => {
  test('that is open lets a stranger in; every other asks who they are', async () => {
    const stranger = await product.client()
    expect(await surprises(stranger, routesOf('open'), isLetIn)).toEqual([])
    expect(await surprises(stranger, [...namesOf(guarded), ...routesOf('signed-in', 'command')], isUnknown)).toEqual([])
  })

  test('of the server’s own keyboard is closed to every person', async () => {
    expect(await surprises(await product.signIn(), routesOf('command'), isUnknown)).toEqual([])
  })

  test('is refused to a person who has every right but its own, and opened by its right alone', async () => {
    const person = await product.signIn()
    const allow = (rights: Partial<Rights>) =>
      product.db
        .update(groups)
        .set({ rights: completeRights(rights) })
        .where(eq(groups.id, person.user.groupId))
    for (const routes of byRight.values()) {
      const [{ area, level, lower } = { area: 'users', level: 'none', lower: 'none' }] = routes
      await allow({ ...everyRight, [area]: lower })
      expect(await surprises(person, namesOf(routes), isRefused)).toEqual([])
      await allow({ [area]: level })
      expect(await surprises(person, namesOf(routes), isLetIn)).toEqual([])
    }
  })

  test.each([
    ['whose group is disabled', { enabled: false }],
    ['whose group requires a two-factor they have not set up', { requiresTotp: true }],
  ])('is refused to a person %s', async (_name, change) => {
    const person = await product.signIn()
    await product.db.update(groups).set(change).where(eq(groups.id, person.user.groupId))
    expect(await surprises(person, namesOf(guarded), isRefused)).toEqual([])
  })
})
