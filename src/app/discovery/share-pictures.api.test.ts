import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { TestApp } from '#src/app/testing/test-app.ts'
import type { TestClient } from '#src/app/testing/test-client.ts'

let product: TestApp
let staff: TestClient
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn()
})
afterAll(() => product.stop())

async function draw(kind: string, id: number, language = 'fr') {
  const response = await fetch(`${product.origin}/partage/${kind}/${id}.${language}.png`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const person = {
  nom: 'Zoé Côté',
  departement: 'VENTES',
  sousdepartement: 'VENTES',
  titre: 'Conseillère',
  titre_en: 'Adviser',
  email: 'zoe@example.com',
  description: 'a',
  description_en: 'a',
}

test.each<[string, string, string, (name: string, publie: boolean) => object]>([
  [
    'job',
    '/api/jobs/emplois',
    'id_emploi',
    (name, publie) => ({ titre: name, titre_en: `${name} 2`, description: '<p>Oui.</p>', description_en: '<p>Yes.</p>', publie }),
  ],
  ['person', '/api/employees/employes', 'id_employe', (name, publie) => ({ ...person, nom: name, publie })],
  [
    'article',
    '/api/articles/articles',
    'id_article',
    (name, publie) => ({ titre: name, titre_en: `${name} 2`, corps: '<p>Oui.</p>', corps_en: '<p>Yes.</p>', publie }),
  ],
])(
  'a %s has a picture for links in each language, drawn again once it changes; a draft has none',
  async (kind, path, key, make) => {
    const name = `Très long ${'mot '.repeat(18)}<script>😀`
    const created = await staff.post<Record<string, number>>(path, make(name, true))
    expect(created.status).toBe(201)
    const id = created.body[key] ?? 0
    const [french, english, again] = [await draw(kind, id), await draw(kind, id, 'en'), await draw(kind, id)]
    expect(french.response.headers.get('content-type')).toBe('image/png')
    expect(await sharp(french.bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    expect(french.bytes.length).toBeLessThan(100_000)
    expect(english.bytes.equals(french.bytes)).toBe(false)
    const etag = french.response.headers.get('etag') ?? ''
    expect(again.response.headers.get('etag')).toBe(etag)
    const url = `${product.origin}/partage/${kind}/${id}.fr.png`
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)

    const changed = await staff.put(`${path}/${id}`, { ...make('Autre', true), version: created.body.version })
    expect(changed.status).toBe(200)
    expect((await draw(kind, id)).bytes.equals(french.bytes)).toBe(false)

    const draft = await staff.post<Record<string, number>>(path, make('Brouillon', false))
    expect((await draw(kind, draft.body[key] ?? 0)).response.status).toBe(404)
  },
)

test.each([
  '/partage/job/1.de.png',
  '/partage/job/x.fr.png',
  '/partage/job/99999999999999999999.fr.png',
  '/partage/other/1.fr.png',
])('%s is no picture', async (path) => {
  const { status } = await fetch(product.origin + path)
  expect([400, 404]).toContain(status)
})
