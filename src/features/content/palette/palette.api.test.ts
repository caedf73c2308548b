import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'
import { everyRight, startTestApp } from '#src/app/testing/test-app.ts'
import { chats } from '#src/features/chat/server/table.ts'
import { requests } from '#src/features/requests/server/table.ts'
import type { Rights } from '#src/lib/rights.ts'
import type { PaletteResult } from './contract.ts'

let product: TestApp
/** A word of this test alone. */
let word: string
let ids: Record<'network' | 'employee' | 'job' | 'article' | 'request' | 'chat' | 'reply', number>
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

async function search(client: TestClient, q: string) {
  const { status, body } = await client.get<PaletteResult[]>(`/api/palette?${String(new URLSearchParams({ q }))}`)
  expect(status, q).toBe(200)
  return body
}

const pathsOf = (found: readonly PaletteResult[]) => found.map(({ path }) => path)

beforeEach(async () => {
  word = `zq${`${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll(/[^a-f]/g, '')}`
  const staff = await product.signIn()
  const post = async <Key extends string>(path: string, body: object) => {
    const sent = await staff.post<Record<Key, number>>(path, body)
    expect(sent.status, `${path} ${sent.text}`).toBe(201)
    return sent.body
  }
  const details = JSON.stringify([{ nom: `Téléphonie ${word}`, nom_en: `Telephony ${word}`, statut: 'OK' }])
  const employee = { departement: 'VENTES', sousdepartement: 'VENTES', titre: 'Vendeuse', titre_en: 'Salesperson' }
  const more = { email: 'a@example.com', description: 'a', description_en: 'a' }
  const article = { titre: `Article ${word}`, corps: '<p>Texte</p>', publie: false }
  const row = { language: 'fr', name: `Annie ${word}`, email: 'annie@example.com', phone: '418 555-0199', message: 'x' } as const
  const names = { firstName: 'Annie', lastName: word, subject: 'Imprimante', kind: 'support', reference: `AS-${word}` } as const
  const [request] = await product.db
    .insert(requests)
    .values({ ...row, ...names })
    .returning()
  const client = { clientName: `Zoé ${word}`, clientEmail: 'zoe@example.com', clientBusiness: 'Garage', language: 'fr' } as const
  const [chat] = await product.db
    .insert(chats)
    .values({ ...client, key: word, status: 'closed' })
    .returning()
  ids = {
    network: (await post<'id_reseau'>('/api/networks/reseau', { nom: `Réseau ${word}`, details })).id_reseau,
    employee: (await post<'id_employe'>('/api/employees/employes', { nom: `Luc ${word}`, ...employee, ...more })).id_employe,
    job: (await post<'id_emploi'>('/api/jobs/emplois', { titre: `Poste ${word}`, titre_en: `Job ${word}` })).id_emploi,
    article: (await post<'id_article'>('/api/articles/articles', article)).id_article,
    reply: (await post<'id_canned'>('/api/chat/canned_replies', { shortcut: word, reply: 'Bonjour', reply_en: 'Hello' }))
      .id_canned,
    request: request?.id ?? 0,
    chat: chat?.id ?? 0,
  }
})

test('finds people, requests, conversations, components, postings and articles by a name, and leads to each', async () => {
  const staff = await product.signIn()
  const paths = pathsOf(await search(staff, word))
  for (const path of [
    `/admin/reseau_edit/${ids.network}`,
    `/admin/reseau/pannes/nouvelle?${String(new URLSearchParams({ reseau: String(ids.network), element: `Téléphonie ${word}` }))}`,
    `/admin/equipe_edit/${ids.employee}`,
    `/admin/emploi_edit/${ids.job}`,
    `/admin/articles/${ids.article}`,
    `/admin/demandes/${ids.request}`,
    `/admin/chat?chat=${ids.chat}`,
    `/admin/chat/replies/${ids.reply}`,
  ])
    expect(paths).toContain(path)
  const { username, id } = staff.user
  expect(pathsOf(await search(staff, username.toUpperCase()))).toContain(`/admin/user_edit/${id}`)
})

test('whoever has no right to an area finds nothing of it, and who may only read is led to what they may open', async () => {
  const outsider = await product.signIn({})
  expect(await search(outsider, word)).toEqual([])
  expect(await search(outsider, outsider.user.username)).toEqual([])
  const kinds: [keyof Rights, string[], string[]][] = [
    [
      'networks',
      ['/admin/reseau', '/admin/reseau'],
      ['/admin/reseau/pannes/nouvelle', '/admin/reseau_edit', '/admin/reseau_edit'],
    ],
    ['employees', ['/admin/equipe'], ['/admin/equipe_edit']],
    ['jobs', ['/admin/emplois'], ['/admin/emploi_edit']],
    ['articles', ['/admin/articles'], ['/admin/articles']],
    ['requests', ['/admin/demandes'], ['/admin/demandes']],
    ['chat', ['/admin/chat', '/admin/chat'], ['/admin/chat', '/admin/chat/replies']],
  ]
  for (const [area, reader, writer] of kinds) {
    const pagesOf = async (rights: Rights) =>
      pathsOf(await search(await product.signIn(rights), word)).map((path) => path.replace(/\?.*$|\/\d+$/, ''))
    expect(await pagesOf({ [area]: 'read_only' }), area).toEqual(reader)
    expect(await pagesOf({ [area]: 'read_write' }), area).toEqual(writer)
  }
  expect((await (await product.client()).get('/api/palette?q=a')).status).toBe(401)
})

test('what is only written alike is not found, however alike', async () => {
  const staff = await product.signIn()
  const alike = `${word.slice(0, 2)}k${word.slice(2)}`
  const { body } = await staff.get<{ id: number }[]>(`/api/search?${String(new URLSearchParams({ q: alike }))}`)
  expect(body.map(({ id }) => id)).toContain(ids.article)
  expect(await search(staff, alike)).toEqual([])
})

test('finds nothing until the second factor that the group requires is set up', async () => {
  const staff = await product.signIn()
  const group = { name: `A2F ${word}`, enabled: true, requires_totp: true, rights: everyRight }
  const { body } = await staff.post<{ id_group: number }>('/api/groups/groups', group)
  const other = await product.signIn()
  expect(await search(other, word)).not.toEqual([])
  const { username, displayName, email, id } = other.user
  const moved = { username, display_name: displayName, email, id_group: body.id_group }
  expect((await staff.put(`/api/users/users/${id}`, moved)).status).toBe(200)
  expect(await search(other, word)).toEqual([])
})

test('finds a request by its phone number however it is written, and a conversation by its number', async () => {
  const reader = await product.signIn({ requests: 'read_only', chat: 'read_only' })
  for (const number of ['4185550199', '418-555-0199', '(418) 555.0199', '1 418 555-0199', '+1 418 5550199', '418 555 01'])
    expect(pathsOf(await search(reader, number)), number).toContain(`/admin/demandes/${ids.request}`)
  expect(pathsOf(await search(reader, '418 555-0198'))).not.toContain(`/admin/demandes/${ids.request}`)
  for (const number of [`${ids.chat}`, `#${ids.chat}`])
    expect(pathsOf(await search(reader, number))).toContain(`/admin/chat?chat=${ids.chat}`)
})

test('an outage is found in both languages, without accents, with the component filled in', async () => {
  const staff = await product.signIn({ networks: 'read_write' })
  for (const text of [`mettre Téléphonie ${word} en panne`, `TELEPHONIE ${word} panne`, `put telephony ${word} down`]) {
    const [first] = await search(staff, text)
    expect(first, text).toMatchObject({
      group: 'act',
      label: { fr: `Mettre Téléphonie ${word} en panne`, en: `Declare an outage of Telephony ${word}` },
      hint: { fr: `Réseau ${word}` },
    })
  }
  const outage = { title: `Panne ${word}`, text: 'Nous cherchons.', severity: 'ERROR', draft: true }
  const elements = [{ id_reseau: ids.network, nom: `Téléphonie ${word}` }]
  const { body } = await staff.post<{ id_incident: number }>('/api/networks/incidents', { ...outage, elements })
  expect(pathsOf(await search(staff, `outage ${word}`))).toContain(`/admin/reseau/pannes/${body.id_incident}`)
})

test('a wild card is a letter like any other, and what is too long or blank finds nothing', async () => {
  const staff = await product.signIn()
  for (const text of ['%', '%%%', '_', `${word}%`, `_${word.slice(1)}`, '\\', "'; --", '☎️📠', '\u202e', '١٢٣'])
    expect(pathsOf(await search(staff, text)), text).not.toContain(`/admin/demandes/${ids.request}`)
  for (const blank of ['', '   ', '\u200b', '-', "'", '’ –']) expect(await search(staff, blank)).toEqual([])
  expect((await staff.get(`/api/palette?q=${'a'.repeat(10_000)}`)).status).toBe(400)
  expect((await staff.get('/api/palette?q=%00')).status).toBe(400)
  expect(await search(staff, 'é'.repeat(200))).toEqual([])
})
