import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { runGuichet } from '#src/app/testing/run-guichet.ts'
import { ConfigError } from '../config.ts'
import { openDatabase } from './database.ts'
import { openPostgres } from './postgres.ts'

const name = `bytes_${process.pid}`
const address = (database: string) => `${inject('postgresUrl')}/${database}`
const server = openPostgres(address('postgres'))
async function doctor(databaseUrl: string) {
  const environment = {
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: join(tmpdir(), `guichet-encoding-${process.pid}`),
    DATABASE_URL: databaseUrl,
  }
  const { output } = await runGuichet(['doctor', '--json'], { environment })
  const { checks } = JSON.parse(output) as { checks: { check: string }[] }
  return checks.find(({ check }) => check === 'database')
}

afterAll(async () => {
  await server.executeSql(`drop database ${name}`)
  await server.close()
})

test('rejects an SQL_ASCII database at the start with a message', async () => {
  await server.executeSql(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  const opening = openDatabase({ dataDir: '/nowhere', databaseUrl: address(name) })
  await expect(opening).rejects.toThrow(ConfigError)
  await expect(opening).rejects.toThrow('DATABASE_URL: this database uses the SQL_ASCII encoding')
  expect(await doctor(address(name))).toMatchObject({
    state: 'fail',
    message: 'This database uses the SQL_ASCII encoding',
    fix: expect.stringContaining("ENCODING 'UTF8'") as string,
  })
})

test('guichet doctor names a wrong password and a database that is not there, and says no password', async () => {
  const wrong = new URL(address('postgres'))
  wrong.password = 'hidden-word'
  const refused = await doctor(wrong.href)
  expect(refused).toMatchObject({
    state: 'fail',
    message: expect.stringMatching(/refuses the user .+ or the password/) as string,
  })
  expect(JSON.stringify(refused)).not.toContain('hidden-word')
  expect(await doctor(address('nowhere'))).toMatchObject({
    state: 'fail',
    message: expect.stringContaining('there is no database nowhere') as string,
  })
})
