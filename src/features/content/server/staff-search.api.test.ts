import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { FoundEntry } from '#src/lib/schemas.ts'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let idArticle = 0
const article = '/api/articles/articles'
const texts = {
  titre: 'Le code du xyloport',
  titre_en: 'The xyloport code',
  corps: '<p>Les imprimantes du dépôt.</p>',
  corps_en: '<p>The printers of the depot.</p>',
}

beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn()
  const { body } = await staff.post<{ id_article: number }>(article, { ...texts, public: false, publie: false })
  idArticle = body.id_article
})
afterAll(() => product.stop())

type Client = Awaited<ReturnType<TestApp['signIn']>>
const find = async (client: Client, q: string, more: Record<string, string> = {}) => {
  const { status, body } = await client.get<FoundEntry[]>(`/api/search?${String(new URLSearchParams({ q, ...more }))}`)
  expect(status).toBe(200)
  return body
}

test('finds drafts and articles for staff by other forms of their words, in either language', async () => {
  for (const [q, language] of [
    ['xyloport', 'fr'],
    ['imprimante depot', 'fr'],
    ['printer', 'fr'],
    ['xyloporte', 'en'],
  ] as const)
    expect((await find(staff, q, { language })).map(({ area, id }) => [area, id])).toContainEqual(['articles', idArticle])
  expect((await find(staff, 'xyloport', { language: 'en' }))[0]).toEqual({
    area: 'articles',
    kind: null,
    id: idArticle,
    title: 'The xyloport code',
    excerpt: 'The printers of the depot.',
    language: 'en',
    matched: ['xyloport'],
    path: `/admin/articles/${idArticle}`,
  })
})

test('finds what has each of the words, not what has one of them', async () => {
  const { body } = await staff.post<{ id_article: number }>(article, {
    ...texts,
    titre: 'Le grouvel',
    corps: '<p>Imprimante.</p>',
  })
  const idsOf = async (q: string) => (await find(staff, q, { area: 'articles' })).map(({ id }) => id)
  expect(await idsOf('grouvels imprimantes')).toEqual([body.id_article])
  expect(await idsOf('grouvel mandibule')).toEqual([])
})

test('gives each caller what their rights let them read, and opens what they may change', async () => {
  expect((await find(await product.signIn({ articles: 'read_only' }), 'xyloport'))[0]).toMatchObject({
    id: idArticle,
    path: null,
  })
  for (const rights of [{}, { jobs: 'administrator' }] as const)
    expect(await find(await product.signIn(rights), 'xyloport')).toEqual([])
  expect((await (await product.client()).get('/api/search?q=xyloport')).status).toBe(401)
})

test('finds people of the team, components, postings and canned responses, within one area where it is named', async () => {
  const person = { nom: 'Zoé Quibvort', titre: 'Ventes', email: 'zoe@example.com', departement: 'VENTES' }
  const network = { nom: 'Réseau quibvort', details: '[{"nom":"Élément plimvex","nom_en":"","statut":"OK"}]' }
  for (const [path, entry] of [
    [
      '/api/employees/employes',
      { ...person, sousdepartement: 'TELECOM', titre_en: 'Sales', description: 'Elle vend.', description_en: 'She sells.' },
    ],
    ['/api/networks/reseau', network],
    ['/api/jobs/emplois', { titre: 'Poste quibvort', description: '<p>Venez.</p>' }],
    ['/api/chat/canned_replies', { shortcut: 'quibvort', reply: 'Bonjour', reply_en: 'Hello' }],
  ] as const)
    expect((await staff.post(path, entry)).status, path).toBe(201)
  const found = await find(staff, 'quibvort')
  expect(new Set(found.map(({ area }) => area))).toEqual(new Set(['employees', 'networks', 'jobs', 'chat']))
  expect((await find(staff, 'quibvort', { area: 'jobs' })).map(({ title }) => title)).toEqual(['Poste quibvort'])
  expect((await find(staff, 'plimvex')).map(({ title }) => title)).toEqual(['Réseau quibvort'])
})

test('finds what was changed as it is now, also what no public page shows', async () => {
  const { body } = await staff.post<{ id_canned: number }>('/api/chat/canned_replies', {
    shortcut: 'avant',
    reply: 'brimzolt',
    reply_en: '',
  })
  expect(await find(staff, 'brimzolt')).toHaveLength(1)
  await staff.put(`/api/chat/canned_replies/${body.id_canned}`, { shortcut: 'avant', reply: 'autre chose', reply_en: '' })
  expect(await find(staff, 'brimzolt')).toEqual([])
})

test.each([
  ['nothing', ''],
  ['one letter', 'a'],
  ['stop words', 'le la les'],
  ['signs of queries', "% _ ' :* & |"],
  ['other alphabets', 'телефон 電話'],
  ['201 letters', 'x'.repeat(201)],
  ['10,000 letters', 'telephone '.repeat(1_000)],
])('answers %s without a result or an error', async (_name, q) => {
  expect(await find(staff, q)).toEqual([])
})

test.each(['q=a&q=b', 'q=wifi&x=1', 'q=wifi&language=de', 'q=wifi&limit=0', 'q=wifi&limit=51'])('refuses %s', async (query) => {
  expect((await staff.get(`/api/search?${query}`)).status).toBe(400)
})
