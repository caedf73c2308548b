import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { announce, readAnnouncement } from './server/announce-command.ts'
import type { MaintenanceWindow } from './contract.ts'
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
    expect(readAnnouncement(['2056-12-01T22:00', '--element', '3:Fibre : noire', '--element=4:'])?.elements).toEqual([
      { id_reseau: 3, nom: 'Fibre : noire' },
      { id_reseau: 4, nom: '' },
    ])
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
    [['2056-12-01T22:00', '--element', 'Fibre'], /--element is not valid: expected the number of a network/],
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
    expect(await announce(configOf(), input, product.app.nameElements)).toContain(
      '2056-12-01 at 22:00 (America/Toronto), 15 minutes, to visitors too',
    )
    expect(await findUpdateAlert(product.db)).toMatchObject({ next_update: '2056-12-02T03:00:00.000Z', public: true })
    expect(await announce(configOf(), null, product.app.nameElements)).toBe('The update alert has been removed.')
    expect(await findUpdateAlert(product.db)).toBeNull()
  })

  test('concerns components that there are, whether the product runs or not', async () => {
    const staff = await product.signIn()
    const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fiber', statut: 'OK' }])
    const { body } = await staff.post<{ id_reseau: number }>('/api/networks/reseau', { nom: 'Québec', status: 'ONLINE', details })
    const inputOf = (...elements: string[]) =>
      readAnnouncement(['2056-12-01T22:00', '--public', ...elements.map((one) => `--element=${one}`)])
    const [good, bad] = [`${body.id_reseau}:Fibre`, `${body.id_reseau}:Cuivre`]
    await expect(announce(configOf(), inputOf(good, bad), product.app.nameElements)).rejects.toThrow('elements.1: unknown')
    await announce(configOf(), inputOf(good), product.app.nameElements)
    const [window] = (await staff.get<MaintenanceWindow[]>('/api/updates/windows')).body
    expect(window?.names).toEqual({ fr: ['Fibre (Québec)'], en: ['Fiber (Québec)'] })
    // What was announced stays where its network is deleted, and is not named any more.
    await staff.delete(`/api/networks/reseau/${body.id_reseau}`)
    expect((await staff.get<MaintenanceWindow[]>('/api/updates/windows')).body[0]?.names).toEqual({ fr: [], en: [] })
    await announce(configOf(), inputOf(good), product.app.nameElements)
    await announce(configOf(), null, product.app.nameElements)
    await expect(announce(configOf(), inputOf(good), product.app.nameElements)).rejects.toThrow('elements.0: unknown')
  })

  test('is rejected in the past, or by another product', async () => {
    await expect(announce(configOf(), readAnnouncement(['2020-12-01T22:00']), product.app.nameElements)).rejects.toThrow(
      'next_update: in the past',
    )
    const other = { ...configOf(), secret: 'the secret of another product' }
    await expect(announce(other, null, product.app.nameElements)).rejects.toThrow('is not Guichet')
  })

  test('goes into the database where no product runs, and names the address of one on another port', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'guichet-test-'))
    const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, PORT: '1' })
    expect(await announce(config, readAnnouncement(['2056-12-01T22:00']), product.app.nameElements)).toContain(
      'Nothing answers at http://127.0.0.1:1',
    )
    await expect(
      announce(config, readAnnouncement(['2056-12-01T22:00', '--element=7:']), product.app.nameElements),
    ).rejects.toThrow('elements.0: unknown')
    const database = await openDatabase(config)
    expect(await findUpdateAlert(database.db)).toMatchObject({ next_update: '2056-12-02T03:00:00.000Z' })
    await expect(announce(config, null, product.app.nameElements)).rejects.toThrow(
      'The server is running, but not at http://127.0.0.1:1',
    )
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
})
