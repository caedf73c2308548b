import { expect, test, vi } from 'vitest'
import { createQueue } from './queue.ts'
import { openTestDatabase } from '../testing/test-database.ts'

test('the queue retries its start while the database is away', async () => {
  const database = await openTestDatabase()
  let lost = 0
  const queue = createQueue({
    ...database,
    async executeSql(text, values) {
      // Fails the first attempt and one in the middle, like a restarting server.
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
  await queue.send(database.db, 'greeting', { key: 'annie', data: { to: 'Annie' } })
  await expect.poll(() => done, { timeout: 10_000 }).toEqual(['Annie'])
  await queue.stop()
  await database.close()
})

test('a queue that cannot start stops with the process', async () => {
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

test('each job runs on one of several instances', async () => {
  const database = await openTestDatabase()
  const names = Array.from({ length: 40 }, (_, index) => `person ${index}`)
  const done: { by: number; to: string }[] = []
  const queues = [0, 1, 2].map((by) => {
    const queue = createQueue(database)
    queue.define('greeting', { retryLimit: 0, retryDelay: 1, retryBackoff: false }, async ({ to }: { to: string }) => {
      done.push({ by, to })
      // Slow work, so that another instance takes the next job.
      await vi.waitUntil(() => new Set(done.map((one) => one.by)).size > 1, { timeout: 15_000 })
    })
    return queue
  })
  await Promise.all(queues.map((queue) => queue.start('America/Toronto')))
  for (const to of names) await queues[0]?.send(database.db, 'greeting', { key: to, data: { to } })
  await expect.poll(() => queues[0]?.countJobs(), { timeout: 20_000 }).toEqual({})
  expect(done.map(({ to }) => to).toSorted()).toEqual(names.toSorted())
  await Promise.all(queues.map((queue) => queue.stop()))
  await database.close()
})

test(
  'a job that a killed process was working is worked by another one, long before its time is over',
  { timeout: 150_000 },
  async () => {
    const database = await openTestDatabase()
    const taken = Promise.withResolvers<void>()
    const never = new Promise<never>(() => undefined)
    let isKilled = false
    const killed = createQueue({
      ...database,
      executeSql: (...statement) => (isKilled ? never : database.executeSql(...statement)),
    })
    const options = { retryLimit: 1, retryDelay: 1, retryBackoff: false, expireInSeconds: 4 * 3_600 }
    killed.define('greeting', options, () => {
      isKilled = true
      taken.resolve()
      return never
    })
    await killed.start('America/Toronto')
    await killed.send(database.db, 'greeting', { key: 'annie', data: { to: 'Annie' } })
    await taken.promise

    const queue = createQueue(database)
    const done: string[] = []
    queue.define('greeting', options, async ({ to }: { to: string }) => {
      done.push(to)
    })
    await queue.start('America/Toronto')
    await expect.poll(() => done, { timeout: 120_000, interval: 500 }).toEqual(['Annie'])
    await queue.stop()
    await database.close()
  },
)

test('the schedule of an earlier version ends with its jobs, which nobody would work', async () => {
  const database = await openTestDatabase()
  const former = createQueue(database)
  former.schedule('former-task', '0 3 * * *', async () => undefined)
  await former.start('America/Toronto')
  await former.stop()
  const queue = createQueue(database)
  queue.schedule('task', '0 3 * * *', async () => undefined)
  await queue.start('America/Toronto')
  await queue.stop()
  const { rows } = await database.executeSql(
    "select name from queue.schedule union select name from queue.queue where name not like '\\_\\_%' order by name",
  )
  expect(rows).toEqual([{ name: 'task' }])
  await database.close()
})
