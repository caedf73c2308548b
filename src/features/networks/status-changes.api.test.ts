import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#src/app/testing/test-app.ts'
import { startTestApp } from '#src/app/testing/test-app.ts'
import type { Network } from './contract.ts'
import { withoutShares } from './ribbon-html.ts'
import type { StatusChanges, StatusPage } from './server/overview.ts'

const path = '/api/networks/reseau'

let product: TestApp
let staff: Awaited<ReturnType<TestApp['signIn']>>
let networks: Network[]
beforeAll(async () => {
  product = await startTestApp()
  staff = await product.signIn({ networks: 'read_write' })
  networks = []
  for (let number = 1; number <= 14; number += 1) networks.push(await create(`Réseau ${number}`))
})
afterAll(() => product.stop())

const services = ['Téléphonie', 'Courriel', 'Internet', 'Fibre', 'Interconnexion', 'Hébergement', 'Sauvegarde', 'Supervision']
const places = ['Montréal', 'Québec', 'Saguenay']
const elements = places.flatMap((place) => services.map((service) => `${service} de ${place}`)).concat('Portail des clients')
const detailsOf = (broken: string[] = []) =>
  JSON.stringify(elements.map((nom) => ({ nom, nom_en: '', statut: broken.includes(nom) ? 'ERROR' : 'OK' })))

const create = async (nom: string) => (await staff.post<Network>(path, { nom, status: 'ONLINE', details: detailsOf() })).body
async function save(network: Network | undefined, changes: object) {
  const { nom, status, details } = { ...network, ...changes } as Network
  expect((await staff.put(`${path}/${network?.id_reseau}`, { nom, status, details })).status).toBe(200)
}

const readPage = async (language = 'fr') => (await staff.get<StatusPage>(`/api/networks/status_page?lang=${language}`)).body
const readChanges = async ({ hashes }: Pick<StatusPage, 'hashes'>, language = 'fr') =>
  (
    await staff.get<StatusChanges>(
      `/api/networks/status_changes?lang=${language}&known=${Object.entries(hashes).flat().join('.')}`,
    )
  ).body

const sectionsOf = (html: string) => html.match(/<section class="card net .*?<\/section>/gs) ?? []
/** The whole page, but for shares that fall while something is down. */
const wholeOf = ({ networks: html, ...page }: StatusPage) => ({
  ...page,
  networks: withoutShares(sectionsOf(html).join('')),
})
const idOf = (section: string | undefined) => /data-net="(\d+)"/.exec(section ?? '')?.[1] ?? null

/** What an open page does with them. */
function applyChanges(page: StatusPage, { sections, gone, hashes, ...changes }: StatusChanges) {
  const parts = Object.fromEntries(Object.entries(changes).filter(([name]) => name in page))
  let shown = sectionsOf(page.networks).filter((one) => !gone.includes(String(idOf(one))))
  for (const { id, before, html } of sections.toReversed()) {
    shown = shown.filter((one) => idOf(one) !== String(id))
    const at = shown.findIndex((one) => idOf(one) === String(before))
    shown.splice(at < 0 ? shown.length : at, 0, html)
  }
  const left = Object.entries(page.hashes).filter(([name]) => !gone.includes(name))
  return { ...page, ...parts, networks: shown.join(''), hashes: { ...Object.fromEntries(left), ...hashes } }
}

test('one element that changes sends its network alone, in less than two kilobytes', async () => {
  const before = await readPage()
  expect(await readChanges(before)).toMatchObject({ isOutdated: false, hashes: {}, sections: [], gone: [] })
  const broken = networks[6]
  await save(broken, { details: detailsOf(['Fibre de Saguenay']) })
  const changes = await readChanges(before)
  expect(changes.sections.map(({ id }) => id)).toEqual([broken?.id_reseau])
  expect(changes.summary.status).toBe('ERROR')
  expect(changes.sentences?.[0]).toContain('Fibre de Saguenay')
  expect(brotliCompressSync(JSON.stringify(changes)).length).toBeLessThan(2_000)
  // With its headers, as a visitor’s page gets it.
  const known = Object.entries(before.hashes).flat().join('.')
  const asked = { headers: { 'accept-encoding': 'br' } }
  const visitor = await product.client()
  await visitor.get(path)
  const { headers } = await visitor.get(`/api/networks/status_changes?lang=fr&known=${known}`, asked)
  expect(headers.get('content-encoding')).toBe('br')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  expect(lines.length + Number(headers.get('content-length'))).toBeLessThan(2_000)
  const after = await readPage()
  expect(wholeOf(applyChanges(before, changes))).toEqual(wholeOf(after))
})

test('so it does while many others are broken, whose availability falls with each second', async () => {
  const many: Network[] = []
  for (let number = 1; number <= 18; number += 1) many.push(await create(`Client ${number}`))
  const details = detailsOf(['Fibre de Saguenay', 'Courriel de Québec'])
  for (const one of many.slice(0, 17)) await save(one, { details })
  const before = await readPage()
  await save(many[17], { details })
  const changes = await readChanges(before)
  expect(changes).toMatchObject({ isOutdated: false, sections: [{ id: many[17]?.id_reseau }] })
  expect(brotliCompressSync(JSON.stringify(changes)).length).toBeLessThan(2_000)
  expect(wholeOf(applyChanges(before, changes))).toEqual(wholeOf(await readPage()))
  for (const { id_reseau } of many) await staff.delete(`${path}/${id_reseau}`)
})

test('a page that missed changes is whole after the next', async () => {
  const before = await readPage('en')
  await save(networks[2], { details: detailsOf(['Courriel de Québec']) })
  await save(networks[9], { nom: 'Aqueduc' })
  await staff.delete(`${path}/${networks[12]?.id_reseau}`)
  await create('Zénith')
  const changes = await readChanges(before, 'en')
  expect(changes.gone).toEqual([String(networks[12]?.id_reseau)])
  const after = await readPage('en')
  expect(wholeOf(applyChanges(before, changes))).toEqual(wholeOf(after))
})

test('a page loads itself again where most of it changed', async () => {
  const before = await readPage()
  for (const network of networks.slice(0, 11)) await save(network, { status: 'OFFLINE' })
  expect(await readChanges(before)).toMatchObject({ isOutdated: true, sections: [], hashes: {} })
  expect(await readChanges({ hashes: {} })).toMatchObject({ isOutdated: true, sections: [] })
})

test('hashes that are none are refused', async () => {
  for (const known of ['x', 'head.12345.', `head.${'é'.repeat(5)}`, '1.abcde.'.repeat(1_600)])
    expect((await staff.get(`/api/networks/status_changes?known=${encodeURIComponent(known)}`)).status).toBe(400)
})
