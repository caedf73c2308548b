import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { announce, readAnnouncement } from './server/announce-command.ts'
import { findUpdateAlert } from './server/service.ts'

describe('the arguments of the command', () => {
  test('are a time in the company’s time zone and a message', () => {
    expect(readAnnouncement(['2056-12-01T22:00'])).toEqual({
      next_update: '2056-12-02T03:00:00.000Z',
      message: '',
      message_en: '',
      public: false,
      duration_minutes: 15,
      elements: [],
    })
    const words = ['2056-07-01T22:00', '--public', '--duration', '45', '--message', 'Pare-feu', '--message-en=Firewall']
    expect(readAnnouncement(words)).toEqual({
      next_update: '2056-07-02T02:00:00.000Z',
      message: 'Pare-feu',
      message_en: 'Firewall',
      public: true,
      duration_minutes: 45,
      elements: [],
    })
    expect(readAnnouncement(['2056-12-01T22:00:00-05:00'])?.next_update).toBe('2056-12-01T22:00:00-05:00')
    expect(readAnnouncement(['--remove'])).toBeNull()
  })

  test.each([
    [[], /^Usage/],
    [['--remove', '2056-12-01T22:00'], /^Usage/],
    [['--remove', '--public'], /^Usage/],
    [['2056-12-01T22:00', '2056-12-02T22:00'], /^Usage/],
    [['demain'], /^"demain" is not a valid time/],
    [['2027-03-14T02:30'], /is not a valid time in America\/Toronto/],
    [['2056-12-01T22:00', '--later'], /Unknown option/],
    [['2056-12-01T22:00', '--duration', 'long'], /--duration is not valid/],
  ])('are rejected: %j', (words, error) => {
    expect(() => readAnnouncement(words)).toThrow(error)
  })

  test('are rejected where a message is too long', () => {
    const words = ['2056-12-01T22:00', '--message', 'a'.repeat(2_001)]
    expect(() => readAnnouncement(words)).toThrow(/message is not valid: too long/)
  })
})

describe('the announcement', () => {
  let product: TestApp
  beforeAll(async () => {
    product = await startTestApp()
  })
  afterAll(() => product.stop())
  const configOf = () => ({ ...product.app.config, port: Number(new URL(product.origin).port) })

  test('goes through the running product, which holds the database', async () => {
    const input = readAnnouncement(['2056-12-01T22:00', '--public'])
    expect(await announce(configOf(), input)).toContain('2056-12-01 at 22:00 (America/Toronto), 15 minutes, to visitors too')
    expect(await findUpdateAlert(product.db)).toMatchObject({ next_update: '2056-12-02T03:00:00.000Z', public: true })
    expect(await announce(configOf(), null)).toBe('The update alert has been removed.')
    expect(await findUpdateAlert(product.db)).toBeNull()
  })

  test('is rejected in the past, or by another product', async () => {
    await expect(announce(configOf(), readAnnouncement(['2020-12-01T22:00']))).rejects.toThrow('next_update: in the past')
    const other = { ...configOf(), secret: 'the secret of another product' }
    await expect(announce(other, null)).rejects.toThrow('is not Guichet')
  })

  test('goes into the database where no product runs, and names the address of one on another port', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'guichet-test-'))
    const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, PORT: '1' })
    expect(await announce(config, readAnnouncement(['2056-12-01T22:00']))).toContain('Nothing answers at http://127.0.0.1:1')
    const database = await openDatabase(config)
    expect(await findUpdateAlert(database.db)).toMatchObject({ next_update: '2056-12-02T03:00:00.000Z' })
    await expect(announce(config, null)).rejects.toThrow('The server is running, but not at http://127.0.0.1:1')
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
})
