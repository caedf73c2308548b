import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Network } from './contract.ts'

type Entry = { id: string; title: string; content: { '#text': string }; updated: string }
type Feed = { feed: { id: string; title: string; updated: string; '@_xml:lang': string; entry?: Entry[] } }

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

async function readFeed(language: string) {
  const response = await fetch(`${product.origin}/reseau/feed.${language}.xml`)
  const xml = await response.text()
  expect(XMLValidator.validate(xml)).toBe(true)
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'entry', processEntities: true })
  return { response, ...(parser.parse(xml) as Feed) }
}

describe('the feed of network status and notes', () => {
  test('is valid while it is empty', async () => {
    const { feed, response } = await readFeed('fr')
    expect(response.headers.get('content-type')).toMatch(/^application\/atom\+xml/)
    expect(feed.entry).toBeUndefined()
    expect(Date.parse(feed.updated)).not.toBeNaN()
  })

  test('lists each change in its language, newest first, and returns 304 while nothing changes', async () => {
    const staff = await product.signIn({ networks: 'read_write', notes: 'read_write' })
    const details = JSON.stringify([{ nom: 'Fibre <Québec> & Lévis', nom_en: 'Fibre <Québec> & Lévis (en)', statut: 'WARNING' }])
    const created = await staff.post<Network>('/api/networks/reseau', { nom: 'Québec', status: 'ONLINE', details })
    await staff.post('/api/notes/notes', { note_date: '20 novembre', note: 'Entretien \u0008terminé.', note_en: '' })

    const french = await readFeed('fr')
    expect(french.feed['@_xml:lang']).toBe('fr-CA')
    expect(french.feed.entry?.map((entry) => entry.title)).toEqual([
      'Avis de service\u00a0: 20 novembre',
      'Québec\u00a0: en ligne',
    ])
    expect(french.feed.entry?.[0]?.content['#text']).toBe('Entretien terminé.')
    expect(french.feed.entry?.[1]?.content['#text']).toBe('Fibre <Québec> & Lévis\u00a0: dégradé')
    const english = await readFeed('en')
    expect(english.feed.entry?.[1]?.content['#text']).toBe('Fibre <Québec> & Lévis (en): degraded')

    const etag = french.response.headers.get('etag') ?? ''
    expect((await fetch(`${product.origin}/reseau/feed.fr.xml`, { headers: { 'if-none-match': etag } })).status).toBe(304)

    await staff.put(`/api/networks/reseau/${created.body.id_reseau}`, { nom: 'Québec', status: 'OFFLINE', details })
    const after = await readFeed('fr')
    expect(after.feed.entry?.[0]?.title).toBe('Québec\u00a0: hors ligne')
    expect(after.feed.entry?.[0]?.id).not.toBe(french.feed.entry?.[1]?.id)
  })
})

test('an outage without English is in the site map in French only', async () => {
  const staff = await product.signIn({ networks: 'read_write' })
  const path = '/api/networks/incidents'
  const { body: network } = await staff.post<Network>('/api/networks/reseau', { nom: 'Lévis', status: 'ONLINE', details: '[]' })
  const declare = async (title: string, english: string) => {
    const elements = [{ id_reseau: network.id_reseau, nom: '' }]
    const texts = { title, title_en: english, text: title, text_en: english }
    const options = { severity: 'WARNING', elements, banner: false, note: false, mails: false }
    const answer = await staff.post<{ id_incident: number }>(path, { ...texts, ...options })
    expect(answer.status).toBe(201)
    return answer.body.id_incident
  }
  const [both, french, half] = [
    await declare('Coupures', 'Drops'),
    await declare('Lenteurs', ''),
    await declare('Panne', 'Outage'),
  ]
  const found = { phase: 'identified', text: 'Cause trouvée', text_en: '', mails: false }
  expect((await staff.post(`${path}/${half}/updates`, found)).status).toBeLessThan(300)
  const visitor = await product.client()
  const sitemap = (await visitor.get('/sitemap.xml')).text
  const isListed = (id: number, end: string) => sitemap.includes(`/reseau/incident/${id}${end}</loc>`)
  expect([both, french, half].map((id) => isListed(id, ''))).toEqual([true, true, true])
  expect([both, french, half].map((id) => isListed(id, '?lang=en'))).toEqual([true, false, false])
  expect((await visitor.get(`${path}/${half}/page?lang=en`)).body).toMatchObject({ isInEnglish: false })
})
