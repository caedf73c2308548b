import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import { environmentOf, runGuichet } from '#src/app/testing/run-guichet.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Network, StaffIncident } from './contract.ts'
import { readDetails } from './values.ts'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let network: number
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn()
  const details = JSON.stringify([{ nom: 'Fibre : noire', nom_en: 'Dark fibre', statut: 'OK' }])
  network = (await staff.post<Network>('/api/networks/reseau', { nom: 'Québec', status: 'ONLINE', details })).body.id_reseau
})
afterAll(() => product.stop())

const outage = (words: string[], environment: Record<string, string> = {}) =>
  runGuichet(['outage', ...words], { environment: { ...environmentOf(product), ...environment } })
const declared = (more: string[] = []) =>
  outage([
    ...['--element', `${network}:Fibre : noire`, '--severity', 'ERROR', '--title', 'Fibre coupée', '--title-en', 'Fibre cut'],
    ...['--text', 'Une pelle a coupé la fibre.', '--text-en', 'A digger cut the fibre.'],
    ...more,
  ])
const statusOf = async () =>
  readDetails((await staff.get<Network>(`/api/networks/reseau/${network}`)).body.details).map(({ statut }) => statut)
const idIn = (output: string) => Number(/\(id (\d+)\)/.exec(output)?.[1])
const read = async (id: number) => (await staff.get<StaffIncident>(`/api/networks/incidents/${id}`)).body

describe('guichet outage', () => {
  test('declares an outage in the product that runs, updates and resolves it', async () => {
    const made = await declared(['--phase', 'identified', '--next', '2056-11-20T15:00:00Z'])
    expect(made).toMatchObject({ code: 0, errors: '' })
    expect(made.output).toMatch(/^outage \d{4}-\d{3} \(id \d+\): identified, 1 component\(s\)\.\n$/)
    const id = idIn(made.output)
    expect(await read(id)).toMatchObject({
      title: 'Fibre coupée',
      title_en: 'Fibre cut',
      phase: 'identified',
      source: 'staff',
      next_update_at: '2056-11-20T15:00:00.000Z',
      updates: [{ text: 'Une pelle a coupé la fibre.', text_en: 'A digger cut the fibre.' }],
    })
    expect(await statusOf()).toEqual(['ERROR'])
    const [entry] = await product.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.entryId, `incident/${id}`))
      .limit(1)
    expect(entry).toMatchObject({ userName: 'npm run outage', address: 'localhost' })

    const updated = await outage(['--update', String(id), '--phase', 'resolved', '--text', 'C’est réparé.'])
    expect(updated).toMatchObject({ code: 0, errors: '' })
    expect(await read(id)).toMatchObject({ phase: 'resolved', resolved_at: expect.any(String) as string })
    expect(await statusOf()).toEqual(['OK'])
    expect((await outage(['--update', String(id), '--phase', 'monitoring', '--text', 'Encore'])).errors).toContain('resolved')
  })

  test('leaves a draft unpublished', async () => {
    const { code, output } = await declared(['--draft'])
    expect(code).toBe(0)
    expect(output).toContain('a draft')
    expect(await read(idIn(output))).toMatchObject({ draft: true })
    expect(await statusOf()).toEqual(['OK'])
  })

  test.each([
    [['--severity', 'BAD'], 2, 'The value BAD is not allowed. Possible values: WARNING, ERROR.'],
    [
      ['--severity', 'ERROR', '--element', '999999:Fibre : noire', '--title', 'x', '--text', 'x'],
      1,
      '--element 999999:Fibre : noire: no network has this component.',
    ],
    [
      ['--severity', 'ERROR', '--element', 'Fibre', '--title', 'x', '--text', 'x'],
      2,
      '--element Fibre: no network has this component.',
    ],
    [['--severity', 'ERROR', '--title', 'x', '--text', 'x', '--next', 'demain'], 2, '--next: Enter the date and the time'],
    [['--nothing'], 2, 'guichet outage --help'],
    [['--update', '999999', '--phase', 'resolved', '--text', 'x'], 1, 'does not exist'],
  ])('with %j says what is wrong, exits with %i and does nothing', async (words, exitCode, reason) => {
    const before = (await staff.get<StaffIncident[]>('/api/networks/incidents')).body.length
    const { code, output, errors } = await outage(words, { LC_ALL: 'C' })
    expect({ code, output }).toEqual({ code: exitCode, output: '' })
    expect(errors).toContain(reason)
    expect(errors).not.toMatch(/\n\s+at /)
    expect((await staff.get<StaffIncident[]>('/api/networks/incidents')).body).toHaveLength(before)
  })

  test('writes JSON for a script, and its help in the language of the terminal', async () => {
    const made = await declared(['--draft', '--json'])
    expect(made).toMatchObject({ code: 0, errors: '' })
    expect(JSON.parse(made.output)).toMatchObject({
      title: 'Fibre coupée',
      draft: true,
      updates: [{ text_en: 'A digger cut the fibre.' }],
    })
    const refused = await outage(['--update', '999999', '--phase', 'resolved', '--text', 'x', '--json'])
    expect(refused).toMatchObject({ code: 1, output: '' })
    expect(JSON.parse(refused.errors)).toMatchObject({ error: 'refused', detail: expect.stringContaining('exist') as string })
    const help = await outage(['--help'], { LC_ALL: 'fr_CA.UTF-8' })
    expect(help).toMatchObject({ code: 0, errors: '', output: expect.stringContaining('Déclarer une panne') as string })
    expect((await outage(['-h'], { LC_ALL: 'en_CA.UTF-8' })).output).toContain('Declare an outage')
  })

  test('says so where nothing answers, and where another secret signs', async () => {
    const away = await outage(['--update', '1', '--phase', 'resolved', '--text', 'x'], { PORT: '1' })
    expect(away).toMatchObject({ code: 3, errors: expect.stringContaining('Nothing answers at http://127.0.0.1:1') as string })
    const other = await outage(['--update', '1', '--phase', 'resolved', '--text', 'x'], { SESSION_SECRET: 'x'.repeat(40) })
    expect(other).toMatchObject({ code: 1, errors: expect.stringContaining('Sign in first') as string })
  })
})
