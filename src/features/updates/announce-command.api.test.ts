import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentOf, runGuichet } from '#src/app/testing/run-guichet.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { readConfig } from '#src/server/config.ts'
import { openDatabase } from '#src/server/database/database.ts'
import { readAnnouncement } from './server/announce-command.ts'
import type { MaintenanceWindow, UpdateAlert } from './contract.ts'
import { findUpdateAlert } from './server/service.ts'

const read = (when: string, options: Record<string, string | boolean | string[]> = {}) =>
  readAnnouncement({ arguments: [when], options })

describe('the words of the command', () => {
  test('are a time in the company’s time zone and a message', () => {
    expect(read('2056-12-01T22:00')).toEqual({
      next_update: '2056-12-02T03:00:00.000Z',
      message: '',
      message_en: '',
      public: false,
      duration_minutes: 15,
      elements: [],
    })
    expect(read('2056-07-01T22:00', { public: true, duration: '45', message: 'Pare-feu', messageEn: 'Firewall' })).toEqual({
      next_update: '2056-07-02T02:00:00.000Z',
      message: 'Pare-feu',
      message_en: 'Firewall',
      public: true,
      duration_minutes: 45,
      elements: [],
    })
    expect(read('2056-12-01T22:00:00-05:00')?.next_update).toBe('2056-12-01T22:00:00-05:00')
    expect(read('2056-12-01T22:00', { element: ['3:Fibre : noire', '4:'] })?.elements).toEqual([
      { id_reseau: 3, nom: 'Fibre : noire' },
      { id_reseau: 4, nom: '' },
    ])
  })

  test.each([
    [[], /^Give the time of the update/],
    [['--remove', '2056-12-01T22:00'], /^--remove takes no time/],
    [['2056-12-01T22:00', '2056-12-02T22:00'], /too many words/],
    [['demain'], /^"demain" is not a valid time/],
    [['2027-03-14T02:30'], /is not a valid time in America\/Toronto/],
    [['2056-12-01T22:00', '--later'], /There is no option --later/],
    [['2056-12-01T22:00', '--duration', 'long'], /--duration is not valid/],
    [['2056-12-01T22:00', '--element', 'Fibre'], /--element is not valid: expected the number of a network/],
    [['2056-12-01T22:00', '--message', 'a'.repeat(2_001)], /message is not valid: too long/],
  ])('are rejected: %j', async (words, error) => {
    const { code, output, errors } = await runGuichet(['announce', ...words])
    expect({ code, output, errors }).toEqual({ code: 2, output: '', errors: expect.stringMatching(error) as string })
  })
})

describe('the announcement', () => {
  let product: TestApp
  beforeAll(async () => {
    product = await startTestApp()
  })
  afterAll(() => product.stop())
  const announce = (words: string[], environment: NodeJS.ProcessEnv = {}) =>
    runGuichet(['announce', ...words], { environment: { ...environmentOf(product), ...environment } })

  test('goes through the running product, which holds the database', async () => {
    expect(await announce(['2056-12-01T22:00', '--public'])).toMatchObject({
      code: 0,
      output: 'The next update is announced: 2056-12-01 at 22:00 (America/Toronto), 15 minutes, to visitors too.\n',
      errors: '',
    })
    expect(await findUpdateAlert(product.db)).toMatchObject({ next_update: '2056-12-02T03:00:00.000Z', public: true })
    expect((await announce(['--remove', '--lang', 'fr'])).output).toBe('L’alerte de mise à jour est retirée.\n')
    expect(await findUpdateAlert(product.db)).toBeNull()
  })

  test('concerns components that there are', async () => {
    const staff = await product.signIn()
    const details = JSON.stringify([{ nom: 'Fibre', nom_en: 'Fiber', statut: 'OK' }])
    const { body } = await staff.post<{ id_reseau: number }>('/api/networks/reseau', { nom: 'Québec', status: 'ONLINE', details })
    const announced = (...elements: string[]) =>
      announce(['2056-12-01T22:00', '--public', ...elements.map((one) => `--element=${one}`)])
    const [good, bad] = [`${body.id_reseau}:Fibre`, `${body.id_reseau}:Cuivre`]
    expect(await announced(good, bad)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('elements.1: unknown') as string,
    })
    expect((await announced(good)).code).toBe(0)
    const [window] = (await staff.get<MaintenanceWindow[]>('/api/updates/windows')).body
    expect(window?.names).toEqual({ fr: ['Fibre (Québec)'], en: ['Fiber (Québec)'] })
    // What was announced stays where its network is deleted, and is not named any more.
    await staff.delete(`/api/networks/reseau/${body.id_reseau}`)
    expect((await staff.get<MaintenanceWindow[]>('/api/updates/windows')).body[0]?.names).toEqual({ fr: [], en: [] })
    expect((await announced(good)).code).toBe(0)
    await announce(['--remove'])
    expect((await announced(good)).errors).toContain('elements.0: unknown')
  })

  test('is rejected in the past, or by another product', async () => {
    expect(await announce(['2020-12-01T22:00'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('next_update: in the past') as string,
    })
    const other = await announce(['--remove'], { SESSION_SECRET: 'the secret of another product, long enough' })
    expect(other).toMatchObject({ code: 1, errors: expect.stringContaining('is not this product') as string })
  })

  test('goes into the database where no product runs, and names the address of one on another port', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'guichet-test-'))
    const environment = { NODE_ENV: 'test', DATA_DIR: dataDir, PORT: '1', SESSION_SECRET: '' }
    const done = await announce(['2056-12-01T22:00', '--json'], environment)
    expect(done).toMatchObject({ code: 0, errors: expect.stringContaining('Nothing answers at http://127.0.0.1:1') as string })
    expect((JSON.parse(done.output) as UpdateAlert).next_update).toBe('2056-12-02T03:00:00.000Z')
    expect(await announce(['2056-12-01T22:00', '--element=7:'], environment)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('elements.0: unknown') as string,
    })
    const database = await openDatabase(readConfig(environment))
    expect(await findUpdateAlert(database.db)).toMatchObject({ next_update: '2056-12-02T03:00:00.000Z' })
    expect(await announce(['--remove'], environment)).toMatchObject({
      code: 3,
      errors: expect.stringContaining('The product is running, but not at http://127.0.0.1:1') as string,
    })
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
})
