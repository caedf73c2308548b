import { sql } from 'drizzle-orm'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { openPostgres } from './postgres.ts'

const address = `${inject('postgresUrl')}/postgres`
const server = openPostgres(address)
const product = openPostgres(address)
const uncaught = vi.fn()
process.on('uncaughtException', uncaught)
afterAll(async () => {
  process.off('uncaughtException', uncaught)
  await product.close()
  await server.close()
})

test('a connection that ends between two statements of a transaction fails it, and not the process', async () => {
  const interrupted = product.db.transaction(async (tx) => {
    const { rows } = (await tx.execute(sql`select pg_backend_pid() as pid`)) as { rows: { pid: number }[] }
    await server.executeSql(`select pg_terminate_backend(${rows[0]?.pid}, 10000)`)
    const ask = () =>
      tx.execute(sql`select 1`).then(
        () => 'connected',
        () => 'lost',
      )
    await expect.poll(ask).toBe('lost')
    await tx.execute(sql`select 1`)
  })
  await expect(interrupted).rejects.toThrow()
  expect(await product.executeSql('select 1 as one')).toEqual({ rows: [{ one: 1 }] })
  expect(uncaught).not.toHaveBeenCalled()
})
