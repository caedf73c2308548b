import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overPglite } from './pglite.ts'

let client: PGlite
beforeAll(async () => {
  client = await PGlite.create()
  overPglite(client)
})
afterAll(() => client.close())

/** How often the event loop came round during `work`: between, requests are answered. */
async function countTurns(work: () => Promise<unknown>) {
  let turns = 0
  const next = () => {
    turns += 1
    pending = setImmediate(next)
  }
  let pending = setImmediate(next)
  await work()
  clearImmediate(pending)
  return turns
}

const query = 'select count(*) from generate_series(1, 20000)'

test('many queries one after the other let others be answered between', async () => {
  const turns = await countTurns(async () => {
    for (let i = 0; i < 50; i += 1) await client.query(query)
  })
  expect(turns).toBeGreaterThan(5)
})

test('so do those of one transaction', async () => {
  const turns = await countTurns(() =>
    client.transaction(async (tx) => {
      for (let i = 0; i < 50; i += 1) await tx.query(query)
    }),
  )
  expect(turns).toBeGreaterThan(5)
})

test('a failed statement leaves the connection to the next', async () => {
  await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

/** What a script prints; null where it had to be killed. It may never return to the event loop, where no limit of a test helps. */
function runScript(body: string) {
  const script = `
    import { PGlite } from '@electric-sql/pglite'
    import { overPglite } from ${JSON.stringify(join(import.meta.dirname, 'pglite.ts'))}
    const report = (name, result) => result.then(() => console.log(name), (error) => console.log(name, error.message))
    ${body}`
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  return signal ? null : stdout.trim().split('\n')
}

test.each([1, 4, 7])('a query that waits while the database closes (%i turns) is rejected', (turns) => {
  const printed = runScript(`
    const client = await PGlite.create()
    const run = client._runExclusiveQuery.bind(client)
    client._runExclusiveQuery = (work) => run(async () => {
      for (let turn = 0; turn < ${turns}; turn += 1) await null
      return work()
    })
    const { close } = overPglite(client)
    await Promise.all([report('before', client.query('select 1')), report('closed', close()), report('after', client.query('select 2'))])`)
  expect(printed?.toSorted()).toEqual(['after the embedded database is closing', 'before', 'closed'])
})

test('where PostgreSQL ends itself, the query and all later ones are rejected', () => {
  const printed = runScript(`
    const client = await PGlite.create()
    const { executeSql } = overPglite(client, () => new Error('ended'))
    await executeSql('create table numbers (number int)')
    // Its input is not there, which ends this PostgreSQL.
    await report('copy', executeSql('copy numbers from stdin'))
    await report('later', executeSql('select 1'))
    process.exit(0)`)
  expect(printed?.slice(-2)).toEqual(['copy ended', 'later ended'])
})
