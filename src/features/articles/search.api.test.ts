import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { SearchResult } from '#src/lib/schemas.ts'
import type { Article, GlossaryPair, SearchMiss } from './contract.ts'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let address = 0

beforeAll(async () => {
  product = await startTestApp({ environment: { TRUST_PROXY: '1' } })
  staff = await product.signIn()
})
afterAll(() => product.stop())

/** Each search comes from an address of its own, which has its own limit. */
async function search(query: string, from = `198.51.100.${(address += 1)}`) {
  const response = await fetch(`${product.origin}/public_api/search?${query}`, { headers: { 'x-forwarded-for': from } })
  return { status: response.status, body: (await response.json()) as SearchResult[] }
}
const find = async (q: string, more: Record<string, string> = {}) =>
  (await search(String(new URLSearchParams({ q, ...more })))).body

describe('the search', () => {
  test('finds articles, pages, tutorials, postings, notices and running outages, outages first', async () => {
    const article = await staff.post<Article>('/api/articles/articles', {
      titre: 'Brancher le zébulonphone',
      titre_en: 'Plug in the zebulon phone',
      corps: '<p>Branchez le zébulonphone.</p>',
      corps_en: '<p>Plug it in.</p>',
    })
    await staff.post('/api/jobs/emplois', { titre: 'Spécialiste en zébulonphone', description: '<p>Venez.</p>' })
    await staff.post('/api/notes/notes', { note_date: '2026-11-20', note: 'Le zébulonphone est en entretien.' })
    const network = await staff.post<{ id_reseau: number }>('/api/networks/reseau', {
      nom: 'Québec',
      status: 'ONLINE',
      details: '[{"nom":"Zébulonphone","nom_en":"Zebulon phone","statut":"OK"}]',
    })
    await staff.post('/api/networks/incidents', {
      title: 'Coupures à Québec',
      title_en: 'Drops in Quebec City',
      severity: 'WARNING',
      elements: [{ id_reseau: network.body.id_reseau, nom: 'Zébulonphone' }],
      text: 'Nous cherchons.',
      text_en: 'We are looking.',
    })
    const found = await find('zebulonphone')
    expect(found[0]).toMatchObject({ kind: 'incident', title: 'Coupures à Québec' })
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['incident', 'article', 'job', 'notice']))
    expect(found.find(({ kind }) => kind === 'article')).toEqual({
      kind: 'article',
      title: 'Brancher le zébulonphone',
      excerpt: 'Branchez le <mark>zébulonphone</mark>.',
      url: '/aide/brancher-le-zebulonphone',
      language: 'fr',
      matched: ['zébulonphone'],
    })
    const english = await find('zébulonphone', { language: 'en' })
    expect(english.find(({ kind }) => kind === 'article')).toMatchObject({
      title: 'Plug in the zebulon phone',
      url: '/aide/plug-in-the-zebulon-phone',
      language: 'en',
    })
    expect((await find('renseignements personnels'))[0]).toMatchObject({ kind: 'page', url: '/about/personal_information' })
    expect((await find('téléphone de bureau')).map(({ kind }) => kind)).toContain('tutorial')
    await staff.delete(`/api/articles/articles/${article.body.id_article}`)
    expect((await find('zebulonphone')).map(({ kind }) => kind)).not.toContain('article')
  })

  test('finds a degraded component that no outage names, first, until it works again', async () => {
    const details = (statut: string) => JSON.stringify([{ nom: 'Voix glorbique', nom_en: 'Glorbic voice', statut }])
    const network = { nom: 'Lévis', status: 'ONLINE' }
    const { body } = await staff.post<{ id_reseau: number }>('/api/networks/reseau', { ...network, details: details('WARNING') })
    const address = `/api/networks/reseau/${body.id_reseau}`
    const phone = JSON.stringify([{ nom: 'Téléphonie plorvique', nom_en: '', statut: 'WARNING' }])
    const other = await staff.post<{ id_reseau: number }>('/api/networks/reseau', { ...network, details: phone })
    expect((await find('téléphone muet'))[0]?.title).toMatch(/^Téléphonie plorvique/)
    await staff.delete(`/api/networks/reseau/${other.body.id_reseau}`)
    const title = 'Voix glorbique (Lévis)\u00a0: service dégradé'
    expect((await find('glorbiques'))[0]).toMatchObject({ kind: 'incident', title, url: '/reseau', matched: ['glorbique'] })
    expect((await find('glorbic', { language: 'en' }))[0]).toMatchObject({ title: 'Glorbic voice (Lévis): degraded' })
    const outage = { title: 'Coupures', title_en: 'Drops', severity: 'WARNING', text: 'Oui.', text_en: 'Yes.' }
    await staff.post('/api/networks/incidents', { ...outage, elements: [{ id_reseau: body.id_reseau, nom: 'Voix glorbique' }] })
    expect((await find('glorbique')).map((one) => one.title)).toEqual(['Coupures'])
    await staff.delete(address)
  })

  test('says by which keyword, or word of the other language, a result was found', async () => {
    const { body } = await staff.post<Article>('/api/articles/articles', {
      titre: 'Un titre sans rapport',
      titre_en: 'The vrimble',
      corps: '<p>Du texte.</p>',
      corps_en: '<p>Text.</p>',
      mots_cles: 'drolbite',
    })
    expect(await find('drolbites')).toMatchObject([{ title: 'Un titre sans rapport', matched: ['drolbite'] }])
    expect(await find('vrimble')).toMatchObject([{ title: 'Un titre sans rapport', matched: ['vrimble'] }])
    await staff.delete(`/api/articles/articles/${body.id_article}`)
  })

  test('never finds a draft or an article for staff, from the moment it is one', async () => {
    const input = { titre: 'Le code du xyloport', corps: '<p>Secret.</p>' }
    const { body } = await staff.post<Article>('/api/articles/articles', input)
    expect(await find('xyloport')).toHaveLength(1)
    for (const hidden of [{ publie: false }, { public: false }]) {
      await staff.put(`/api/articles/articles/${body.id_article}`, { ...input, ...hidden })
      expect(await find('xyloport')).toEqual([])
    }
    await staff.put(`/api/articles/articles/${body.id_article}`, input)
    expect(await find('xyloport')).toHaveLength(1)
    await staff.delete(`/api/articles/articles/${body.id_article}`)
  })

  test.each([
    ['nothing', ''],
    ['one letter', 'a'],
    ['only stop words', 'le la les de the of'],
    ['signs of queries', '% _ \' :* & | ! ( ) \\ " ;--'],
    ['a NUL byte and a lone surrogate', '\0 \ud800'],
    ['another alphabet', 'телефон 電話'],
    ['201 letters', 'a'.repeat(201)],
    ['10,000 letters', 'telephone '.repeat(1_000)],
  ])('answers %s without a result or an error', async (_name, q) => {
    expect(await search(`q=${encodeURIComponent(q.toWellFormed())}`)).toEqual({ status: 200, body: [] })
  })

  test.each(['q=wifi&q=wifi', 'q=wifi&x=1', 'q=wifi&language=de', 'q=wifi&limit=0', 'q=wifi&limit=21', 'q=wifi&limit=x'])(
    'refuses %s',
    async (query) => {
      expect((await search(query)).status).toBe(400)
    },
  )

  test('answers 60 searches a minute of one address, then 429', async () => {
    const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await search('q=wifi', '203.0.113.9')).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect((await search('q=wifi')).status).toBe(200)
  })

  test('answers or refuses two hundred searches of one address at once, whatever they ask', async () => {
    const asked = ['wifi', 'téléphone muet', "% _ ' :* & | ! ( ) \\", 'a'.repeat(10_000), 'le la les', '電話', '\0', '*:* OR 1=1']
    const flood = Array.from({ length: 200 }, async (_, index) => {
      const q = `${asked[index % asked.length] ?? ''} ${index}`
      return (await search(`q=${encodeURIComponent(q)}`, '203.0.113.10')).status
    })
    const statuses = await Promise.all(flood)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  test('joins the terms of the glossary that the office edits', async () => {
    const { body } = await staff.post<Article>('/api/articles/articles', { titre: 'La trottibulle', corps: '<p>Ici.</p>' })
    expect(await find('wobblebox')).toEqual([])
    const pair = await staff.post<GlossaryPair>('/api/articles/glossary', { terme: 'trottibulle', terme_en: 'wobblebox' })
    expect(pair.status).toBe(201)
    expect((await find('wobblebox'))[0]?.title).toBe('La trottibulle')
    const address = `/api/articles/glossary/${pair.body.id_terme}`
    const { version } = pair.body
    expect((await staff.put(address, { terme: 'trottibulle', terme_en: 'wibblebox', version })).status).toBe(200)
    expect((await find('wibblebox'))[0]?.title).toBe('La trottibulle')
    expect((await staff.put(address, { terme: 'trottibulle', terme_en: 'wobblebox', version })).status).toBe(409)
    await staff.delete(address)
    expect(await find('wibblebox')).toEqual([])
    await staff.delete(`/api/articles/articles/${body.id_article}`)
    const reader = await product.signIn({ articles: 'read_only' })
    expect((await reader.get('/api/articles/glossary')).status).toBe(200)
    expect((await reader.post('/api/articles/glossary', { terme: 'a', terme_en: 'b' })).status).toBe(403)
    expect((await (await product.client()).get('/api/articles/glossary')).status).toBe(401)
    expect((await staff.post('/api/articles/glossary', { terme: ' ', terme_en: 'b' })).status).toBe(400)
  })

  test('counts what was not found by its words, once for what is typed letter by letter, without addresses and numbers of people', async () => {
    const from = '198.51.100.250'
    for (const q of ['qwxz', 'qwxzab', 'qwxzabcd zoe@qwxz.invalid 99-8877-6655']) await search(`q=${encodeURIComponent(q)}`, from)
    await search('q=QWXZABCD&language=fr', '198.51.100.251')
    const misses = async () => (await staff.get<SearchMiss[]>('/api/articles/searches')).body
    expect((await misses()).filter(({ words }) => words.startsWith('qwx'))).toEqual([
      { words: 'qwxzabcd', language: 'fr', count: 2, last: expect.any(String) },
    ])
    expect((await (await product.signIn({ articles: 'read_only' })).get('/api/articles/searches')).status).toBe(403)
  })
})
