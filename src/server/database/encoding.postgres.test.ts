import { afterAll, expect, inject, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { openDatabase } from './database.ts'
import { openPostgres } from './postgres.ts'

const name = `bytes_${process.pid}`
const address = (database: string) => `${inject('postgresUrl')}/${database}`
const server = openPostgres(address('postgres'))
afterAll(async () => {
  await server.executeSql(`drop database ${name}`)
  await server.close()
})

test('rejects an SQL_ASCII database at the start with a message', async () => {
  await server.executeSql(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  const opening = openDatabase({ dataDir: '/nowhere', databaseUrl: address(name) })
  await expect(opening).rejects.toThrow(ConfigError)
  await expect(opening).rejects.toThrow('DATABASE_URL: this database uses the SQL_ASCII encoding')
})
