import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { groups, users } from '#src/features/people/server/table.ts'
import { areasOf } from '#src/lib/feature.ts'
import type { Rights } from '#src/lib/rights.ts'
import { completeRights, everyRight as everyRightOf } from '#src/lib/rights.ts'
import { features } from '../features.ts'
import { backlog, buildApp } from '../app.ts'
import { readConfig } from '#src/server/config.ts'
import type { Database } from '#src/server/database/database.ts'
import { bindSecret } from '#src/server/secrets/bind-secret.ts'
import type { App } from '#src/server/types.ts'
import { openTestDatabase } from '#src/server/testing/test-database.ts'
import { createTestClient } from './test-client.ts'

/** Every area of the product. */
export const areas = areasOf(features)
export const everyRight = everyRightOf(areas)

export const testPassword = 'Lampe-Allumee-2026!'
let counter = 0
/** Cheap: a hash says what it costs to check, and the tests of passwords make their own. */
const hashed = hash(testPassword, { memoryCost: 64, timeCost: 1 })

type Options = {
  /** Environment variables, as the product reads them. */
  environment?: Record<string, string>
  /** Runs the queue, which sends mail and scheduled jobs. */
  queue?: boolean
  /** Extends the product before it listens. */
  prepare?: (app: App) => Promise<void>
}

/** The real product on a database of its own, listening on a free port. Close it with `stop`. */
export async function startTestApp(options: Options = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-test-'))
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: '0',
    ...options.environment,
  })
  const database = await openTestDatabase()
  await bindSecret(database.db, config.secret)
  const app = await buildApp(config, database, 'none')
  await options.prepare?.(app)
  await app.listen({ port: 0, host: '127.0.0.1', backlog })
  if (options.queue) await app.queue.start('America/Toronto')
  const origin = app.listeningOrigin

  return {
    app,
    db: database.db,
    database,
    origin,
    dataDir,
    client: () => createTestClient(origin).arrive(),
    /** A user with these rights (all rights by default), not signed in. */
    createUser: (rights: Rights = everyRight) => insertUser(database.db, rights),
    /** A browser signed in as a new user with these rights. */
    async signIn(rights: Rights = everyRight) {
      const user = await insertUser(database.db, rights)
      const client = await createTestClient(origin).arrive()
      const response = await client.post('/api/auth/login', { username: user.username, password: testPassword })
      if (response.status !== 200) throw new Error(`sign-in refused: ${response.text}`)
      return Object.assign(client, { user })
    },
    async stop() {
      await app.close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

async function insertUser(db: Database, rights: Rights) {
  counter += 1
  const name = `user${counter}`
  const [group] = await db
    .insert(groups)
    .values({ name: `Group of ${name}`, rights: completeRights(areas, rights) })
    .returning()
  if (!group) throw new Error('no group')
  const row = {
    username: name,
    displayName: `Person ${counter}`,
    email: `${name}@example.com`,
    passwordHash: await hashed,
    groupId: group.id,
  }
  const [user] = await db.insert(users).values(row).returning()
  if (!user) throw new Error('no user')
  return user
}
