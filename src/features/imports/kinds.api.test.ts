import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { ChatSettings } from '../chat/contract.ts'
import type { Employee } from '../employees/contract.ts'
import type { Monitor } from '../networks/monitors/contract.ts'
import type { Network } from '../networks/contract.ts'
import type { ImportResult } from './contract.ts'
import type { TestClient } from './testing.ts'
import { runImport as run, sendImport } from './testing.ts'

let product: TestApp
let staff: TestClient

beforeAll(async () => {
  product = await startTestApp({ queue: true })
  staff = await product.signIn()
})
afterAll(() => product.stop())

const send = (fields: Record<string, string>, content: string | Uint8Array, name?: string) =>
  sendImport(product, staff, fields, content, name)
const undo = async (id: number) => (await staff.post<ImportResult>(`/api/imports/imports/${id}/undo`)).body

test('a username that two addresses give is refused in the trial as in the import', async () => {
  const word = 'jumelle'
  const addresses = [
    `${word}@example.com`,
    ...Array.from({ length: 120 }, (_, index) => `${word}-${index}@example.com`),
    `${word}@example.net`,
  ]
  const rows = addresses.map((email) => `${email},Group of ${staff.user.username}`)
  const sent = await send({ kind: 'users', source: `https://${word}.example` }, ['email,group', ...rows, ''].join('\n'))
  const expected = { created: { users: 121 }, refused_total: 1 }
  expect(sent.body).toMatchObject(expected)
  const done = await run(staff, sent.body.id_import)
  expect(done).toMatchObject({ state: 'done', ...expected })
  expect(done.refused).toEqual(sent.body.refused)
})

describe('holidays of a calendar', () => {
  const year = new Date().getFullYear() + 1
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
  const calendar = (...events: string[]) =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//fr', ...events, 'END:VCALENDAR', ''].join('\r\n')
  const holidays = async () => (await staff.get<ChatSettings>('/api/chat/settings')).body.holidays
  const datesOf = async (name: string) => (await holidays()).flatMap((one) => (one.name.startsWith(name) ? one.date : []))

  test('close its whole days, follow it until somebody edits them, and go with the undo', async () => {
    const file = (name: string) =>
      calendar(
        event('UID:a@example.com', `DTSTART;VALUE=DATE:${year}0203`, `DTEND;VALUE=DATE:${year}0205`, `SUMMARY:${name}`),
        event(
          'UID:b@example.com',
          'DTSTART;VALUE=DATE:19990806',
          'RRULE:FREQ=YEARLY;BYMONTH=8;BYDAY=1FR',
          'SUMMARY;LANGUAGE=en:Fri',
        ),
        event('UID:c@example.com', 'DTSTART;VALUE=DATE:20010101', 'SUMMARY:Passée'),
        event('UID:d@example.com', 'DTSTART;VALUE=DATE:29990101', 'SUMMARY:Lointaine'),
        event('UID:e@example.com', `DTSTART:${year}0301T090000Z`, 'SUMMARY:Réunion'),
        event('UID:f@example.com', `DTSTART;VALUE=DATE:${year}0302`, 'STATUS:CANCELLED', 'SUMMARY:Annulée'),
        event('UID:g@example.com', `DTSTART;VALUE=DATE:${year}0231`, 'SUMMARY:'),
      )
    const source = { kind: 'holidays', source: 'https://calendrier.example.com' }
    const tried = await send(source, file('Relâche'), 'feries.ics')
    expect(tried.body).toMatchObject({ left_out: { past: 1, later: 1, cancelled: 1 }, refused_total: 2 })
    expect(tried.body.refused.map(({ reason_fr }) => reason_fr)).toEqual([
      expect.stringContaining('pas une journée entière'),
      expect.stringContaining('pas de nom'),
    ])
    const outdated = vi.spyOn(product.app.events, 'outdated')
    const transactions = vi.spyOn(product.app.db, 'transaction')
    const done = await run(staff, tried.body.id_import)
    expect(done).toMatchObject({ state: 'done', left_out: { past: 1 }, refused_total: 2 })
    // Who reads that it is done reads what it wrote: settings in memory are outdated before.
    expect(outdated.mock.invocationCallOrder[0]).toBeLessThan(transactions.mock.invocationCallOrder.at(-1) ?? 0)
    vi.restoreAllMocks()
    expect(await datesOf('Relâche')).toEqual([`${year}-02-03`, `${year}-02-04`])
    const fridays = (await holidays()).filter(({ name }) => name === 'Fri')
    expect(fridays.length).toBeGreaterThanOrEqual(3)
    expect(
      fridays.every(({ date, name_en, spans }) => new Date(date).getUTCDay() === 5 && name_en === 'Fri' && spans.length === 0),
    ).toBe(true)

    expect((await send(source, file('Relâche'), 'feries.ics')).body).toMatchObject({ created: {}, known: 2 + fridays.length })
    const { body: settings } = await staff.get<ChatSettings>('/api/chat/settings')
    const opened = settings.holidays.map((one) =>
      one.date === `${year}-02-04` ? { ...one, spans: [{ opens: '08:00', closes: '12:00' }] } : one,
    )
    expect((await staff.put('/api/chat/settings', { ...settings, holidays: opened })).status).toBe(200)
    const changed = await send(source, file('Relâche scolaire'), 'feries.ics')
    expect(changed.body).toMatchObject({ updated: { chat: 1 }, refused_total: 3 })
    expect(changed.body.refused.map(({ reason }) => reason)).toContain('Edited here since it was imported: left as it is.')
    await run(staff, changed.body.id_import)
    expect(await datesOf('Relâche scolaire')).toEqual([`${year}-02-03`])
    const again = await send({ kind: 'holidays' }, file('Autre'), 'feries.ics')
    expect(again.body).toMatchObject({ created: {}, refused_total: 4 + fridays.length })
    expect(again.body.refused[0]?.reason_fr).toMatch(/déjà un jour férié/)

    expect(await undo(done.id_import)).toMatchObject({ state: 'undone', left_entries: [{}, {}] })
    expect(await datesOf('Relâche')).toEqual([`${year}-02-03`, `${year}-02-04`])
    expect(await datesOf('Fri')).toEqual([])
  })

  test.each([
    ['no calendar', 'raccourci,texte\n', /pas un calendrier/],
    ['a part that never ends', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x', /pas un calendrier/],
    ['6 MB', calendar('X'.repeat(6_000_000)), /trop volumineux/],
  ])('that are %s are refused in words', async (_name, content, message) => {
    const { status, body } = await send({ kind: 'holidays' }, content, 'feries.ics')
    expect(status).toBe(422)
    expect(body.reason?.fr).toMatch(message)
  })

  test('that repeat each second, or on dates that do not exist, hold nothing up', async () => {
    const content = calendar(
      event('UID:1', 'DTSTART;VALUE=DATE:20000101', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Seconde'),
      event('UID:3', 'DTSTART;VALUE=DATE:20000101', 'RRULE:FREQ=MONTHLY;BYDAY=9MO', 'SUMMARY:Nulle'),
      event('UID:4', `DTSTART;VALUE=DATE:${year}0101`, `DTEND;VALUE=DATE:${year + 9}0101`, 'SUMMARY:Longue'),
    )
    const { status, body } = await send({ kind: 'holidays' }, content, 'feries.ics')
    expect(status).toBe(201)
    expect(body).toMatchObject({ created: {}, refused_total: 3 })
  })
})

test('a team of a list comes as drafts, with the English that is missing to review', async () => {
  const rows = (title: string) =>
    [
      'Nom,Courriel,Département,Poste,Titre (Anglais)',
      `Ana Roy,ana@example.com,ventes,${title},Advisor`,
      'Bo Lee,bo@example.com,Customer service,Accueil,',
      'Cy Ito,pas une adresse,Ventes,x,',
      'Di Uhl,di@example.com,Cuisine,x,',
    ].join('\n')
  const source = { kind: 'team', source: 'https://liste.example.com' }
  const tried = await send(source, rows('Conseillère'))
  expect(tried.body).toMatchObject({ created: { employees: 2 }, refused_total: 2 })
  expect(tried.body.refused.map(({ reason_fr }) => reason_fr)).toEqual([
    'Courriel : adresse de courriel non valide.',
    expect.stringContaining('« Cuisine » n’existe pas ici'),
  ])
  const done = await run(staff, tried.body.id_import)
  const team = async (client: Pick<TestClient, 'get'>) =>
    (await client.get<Employee[]>('/api/employees/employes')).body.filter(({ email }) =>
      ['ana@example.com', 'bo@example.com'].includes(email),
    )
  expect(await team(await product.client())).toEqual([])
  const [ana, bo] = await team(staff)
  expect(ana).toMatchObject({ nom: 'Ana Roy', departement: 'VENTES', titre_en: 'Advisor', publie: false })
  expect(bo).toMatchObject({
    departement: 'SERVICE À LA CLIENTÈLE',
    titre_en: 'Accueil',
    english_older: { titre: expect.any(String) as string },
  })
  expect((await send(source, rows('Conseillère'))).body).toMatchObject({ created: {}, known: 2 })
  const changed = await send(source, rows('Directrice'))
  expect(changed.body).toMatchObject({ updated: { employees: 1 }, known: 1 })
  expect(await undo(done.id_import)).toMatchObject({ state: 'undone', left: 0 })
  expect(await team(staff)).toEqual([])
})

describe('monitors', () => {
  const unique = () => Math.random().toString(36).slice(2, 10)
  const monitors = async () => (await staff.get<Monitor[]>('/api/networks/monitors')).body
  const networks = async () => (await staff.get<Network[]>('/api/networks/reseau?drafts=1')).body
  const elementsOf = async (name: string) => {
    const network = (await networks()).find(({ nom }) => nom === name)
    return network && (JSON.parse(network.details) as { nom: string }[]).map(({ nom }) => nom)
  }
  const kumaFile = (fill: (database: DatabaseSync) => void) => {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-kuma-'))
    const path = join(folder, 'kuma.db')
    const database = new DatabaseSync(path)
    fill(database)
    database.close()
    const bytes = readFileSync(path)
    rmSync(folder, { recursive: true })
    return bytes
  }
  /** The columns of Uptime Kuma 2 that are read, among others. */
  const kumaTable = `create table monitor (id integer primary key autoincrement, name varchar(150), active boolean default 1,
    user_id integer, interval integer default 20, url text, type varchar(20), weight integer, hostname varchar(255), port integer,
    keyword varchar(255), maxretries integer not null default 0, ignore_tls boolean, upside_down boolean not null default 0,
    accepted_statuscodes_json text not null default '["200-299"]', dns_resolve_type varchar(5), retry_interval integer,
    parent integer, invert_keyword boolean default 0, timeout double default 0)`

  test('of a list come paused; what they watch is a draft until it is published, and goes with the undo', async () => {
    const word = unique()
    const shown = await staff.post<Network>('/api/networks/reseau', {
      nom: `${word} public`,
      details: JSON.stringify([{ nom: 'Portail', nom_en: 'Portal', statut: 'OK' }]),
    })
    const rows = [
      'Réseau,Élément,Type,Cible,Intervalle,failures_before',
      `${word} public,Portail,https,https://portail.example.com/,60,2`,
      `${word} public,Courriel,port,mx.example.com:25,60,`,
      `${word} nouveau,Fibre,ping,192.0.2.1,60,`,
      `${word} nouveau,Nuage,http,http://169.254.169.254/,60,`,
      `${word} nouveau,Nuage,télépathie,x,60,`,
      `${word} nouveau,Fibre,ping,192.0.2.1,60,3`,
    ].join('\n')
    const tried = await send({ kind: 'monitors', source: `https://${word}.example.com` }, rows)
    expect(tried.body).toMatchObject({ created: { networks: 2 }, refused_total: 4 })
    expect(tried.body.refused.map(({ reason_fr }) => reason_fr)).toEqual([
      expect.stringContaining('n’a pas d’élément « Courriel »'),
      expect.stringContaining('jamais surveillée'),
      expect.stringContaining('« télépathie »'),
      expect.stringMatching(/plus haut dans la source|déjà une sonde/),
    ])
    const done = await run(staff, tried.body.id_import)
    expect(done).toMatchObject({ state: 'done', created: { networks: 2 } })
    expect((await monitors()).filter(({ element }) => element === 'Portail' || element === 'Fibre')).toEqual([
      expect.objectContaining({ kind: 'ping', enabled: false, failures_before: 3 }),
      expect.objectContaining({ kind: 'http', enabled: false, failures_before: 2, id_reseau: shown.body.id_reseau }),
    ])
    expect(await elementsOf(`${word} nouveau`)).toEqual(['Fibre'])
    const visitor = await product.client()
    const names = async () => (await visitor.get<Network[]>('/api/networks/reseau')).body.map(({ nom }) => nom)
    expect(await names()).not.toContain(`${word} nouveau`)
    for (const page of ['/reseau', '/reseau/feed.fr.xml', '/api/networks/status_page'])
      expect(await (await fetch(product.origin + page)).text()).not.toContain(`${word} nouveau`)
    const draft = (await networks()).find(({ nom }) => nom === `${word} nouveau`)
    expect((await visitor.get(`/api/networks/reseau/${draft?.id_reseau}`)).status).toBe(404)
    await staff.put(`/api/networks/reseau/${draft?.id_reseau}`, { ...draft, publie: true, id_reseau: undefined })
    expect(await names()).toContain(`${word} nouveau`)
    await staff.put(`/api/networks/reseau/${draft?.id_reseau}`, { ...draft, id_reseau: undefined, version: undefined })

    expect((await send({ kind: 'monitors', source: `https://${word}.example.com` }, rows)).body).toMatchObject({ known: 2 })
    expect(await undo(done.id_import)).toMatchObject({ state: 'undone', left: 0 })
    expect(await elementsOf(`${word} nouveau`)).toBeUndefined()
    expect(await elementsOf(`${word} public`)).toEqual(['Portail'])
  })

  test('of Uptime Kuma 2 come with their groups, retries and codes, and what cannot be taken over is named', async () => {
    const word = unique()
    const file = kumaFile((database) => {
      database.exec(`${kumaTable}; create table heartbeat (id integer primary key, msg text)`)
      const insert = database.prepare(
        'insert into monitor (name, type, url, hostname, port, keyword, maxretries, interval, timeout, parent, accepted_statuscodes_json, upside_down) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      const add = (name: string, type: string, more: Record<string, string | number> = {}) =>
        insert.run(
          name,
          type,
          more.url ?? '',
          more.hostname ?? null,
          more.port ?? null,
          more.keyword ?? null,
          more.maxretries ?? 0,
          more.interval ?? 60,
          more.timeout ?? 48,
          more.parent ?? null,
          more.codes ?? '["200-299"]',
          more.upside ?? 0,
        )
      add(`${word} Site`, 'group')
      add('Accueil', 'keyword', { url: 'https://www.example.com/', keyword: 'Bonjour', maxretries: 2, interval: 20, parent: 1 })
      add('Base', 'port', { hostname: 'db.example.com', port: 5432, parent: 1, maxretries: 40 })
      add('Adieu', 'http', { url: 'https://old.example.com/', codes: '["404"]' })
      add('Cron', 'push', {})
      add('Conteneur', 'docker', {})
      add('Plusieurs', 'http', { url: 'https://a.example.com/', codes: '["200-299","300-399"]' })
      add('Inverse', 'ping', { hostname: 'b.example.com', upside: 1 })
    })
    const tried = await send({ kind: 'monitors' }, file, 'kuma.db')
    expect(tried.status).toBe(201)
    expect(tried.body).toMatchObject({ created: { networks: 4 }, left_out: { groups: 1 }, refused_total: 3, total: 8 })
    expect(tried.body.refused.map(({ name, reason_fr }) => `${name} ${reason_fr}`)).toEqual([
      expect.stringMatching(/^Conteneur .*« docker »/),
      expect.stringMatching(/^Plusieurs .*plusieurs codes/),
      expect.stringMatching(/^Inverse .*inversée/),
    ])
    const done = await run(staff, tried.body.id_import)
    const found = await monitors()
    const one = (name: string) => found.find(({ element }) => element === name)
    expect(one('Accueil')).toMatchObject({
      kind: 'http',
      failures_before: 3,
      interval_s: 30,
      timeout_ms: 10_000,
      expect: { text: 'Bonjour' },
      enabled: false,
    })
    expect(one('Base')).toMatchObject({ kind: 'tcp', target: 'db.example.com:5432', failures_before: 10 })
    expect(one('Adieu')).toMatchObject({ expect: { status: 404 }, failures_before: 1 })
    expect(one('Cron')).toMatchObject({ kind: 'signal', target: '' })
    expect(await elementsOf(`${word} Site`)).toEqual(['Accueil', 'Base'])
    expect(await elementsOf('Importés')).toEqual(['Adieu', 'Cron'])
    expect((await staff.post(`/api/networks/monitors/${one('Cron')?.id_monitor}/address`)).status).toBe(200)
    await undo(done.id_import)
    expect(await elementsOf(`${word} Site`)).toBeUndefined()
  })

  test('of a backup of Uptime Kuma 1 come too', async () => {
    const backup = {
      version: '1.23.11',
      notificationList: [],
      monitorList: [
        {
          id: 4,
          name: 'Secours',
          type: 'ping',
          hostname: '192.0.2.9',
          maxretries: 1,
          interval: 60,
          accepted_statuscodes: ['200-299'],
          parent: null,
          upsideDown: false,
        },
      ],
    }
    const { body } = await send({ kind: 'monitors' }, JSON.stringify(backup, null, 2), 'kuma.json')
    expect(body).toMatchObject({ created: { networks: 1 }, preview: [{ name: 'Secours' }] })
    expect(body.preview[0]?.after).toContainEqual({
      label: { fr: 'Échecs avant une panne', en: 'Failures before an outage' },
      text: '2',
    })
  })

  test.each([
    ['a database of something else', () => kumaFile((database) => database.exec('create table x (y)'))],
    [
      'a view that never ends',
      () =>
        kumaFile((database) =>
          database.exec(
            'create view monitor as with recursive c(id) as (select 1 union all select id + 1 from c) select id, id as name, id as type from c where id < 0',
          ),
        ),
    ],
    [
      'a computed column',
      () =>
        kumaFile((database) => database.exec("create table monitor (id, name, type, url as (printf('%.*c', 900000000, 'x')))")),
    ],
    [
      'a damaged database',
      () => Buffer.concat([kumaFile((database) => database.exec(kumaTable)).subarray(0, 4_096), Buffer.alloc(8_192, 7)]),
    ],
    ['a backup that is cut', () => '{"version": "1.23.11", "monitorList": [{"id": 1'],
    ['a backup nested deep', () => `{"version": ${'['.repeat(200_000)}`],
  ])('%s is refused in words', async (_name, make) => {
    const { status, body } = await send({ kind: 'monitors' }, make(), 'kuma.db')
    expect(status).toBe(422)
    expect(body.reason?.fr).toMatch(/Uptime Kuma/)
  })
})
