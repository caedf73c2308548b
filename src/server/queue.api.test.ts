import { expect, test } from 'vitest'
import { createQueue } from './queue.ts'
import { openTestDatabase } from './testing/test-database.ts'

test('a database that goes away while the queue starts is waited for', async () => {
  const database = await openTestDatabase()
  let lost = 0
  const queue = createQueue({
    ...database,
    async executeSql(text, values) {
      // Once at the beginning and once half-way, as a server that is restarted.
      if (lost === 0 || (lost === 1 && text.includes('queue.create_queue'))) {
        lost += 1
        throw new Error('terminating connection due to administrator command')
      }
      return database.executeSql(text, values)
    },
  })
  const done: string[] = []
  queue.define('greeting', { retryLimit: 0, retryDelay: 1, retryBackoff: false }, async ({ to }: { to: string }) => {
    done.push(to)
  })
  await queue.start('America/Toronto')
  expect(lost).toBe(2)
  await queue.sendAll('greeting', [{ key: 'annie', data: { to: 'Annie' } }])
  await expect.poll(() => done, { timeout: 10_000 }).toEqual(['Annie'])
  await queue.stop()
  await database.close()
})

test('a queue that cannot start ends when the process does', async () => {
  const database = await openTestDatabase()
  let tries = 0
  const queue = createQueue({
    ...database,
    executeSql: async () => {
      tries += 1
      throw new Error('connect ECONNREFUSED')
    },
  })
  const started = queue.start('America/Toronto')
  await expect.poll(() => tries).toBeGreaterThan(0)
  await queue.stop()
  await started
  expect(queue.isReady()).toBe(false)
  await database.close()
})
