import { expect, test } from 'vitest'
import type { Incident, Network, Ribbon } from './contract.ts'
import {
  describeOthers,
  describeStatus,
  renderHistory,
  renderIncident,
  renderIncidents,
  renderNetworks,
  renderStrip,
} from './status-html.ts'
import { drawRibbon } from './ribbon-html.ts'

type Statut = 'OK' | 'WARNING' | 'ERROR'
const now = Date.parse('2026-11-20T14:52:00Z')
const since = '2026-11-20T13:40:00.000Z'

const networkOf = (id: number, nom: string, status: Network['status'], elements: Record<string, Statut>): Network => ({
  id_reseau: id,
  nom,
  status,
  details: JSON.stringify(Object.entries(elements).map(([name, statut]) => ({ nom: name, nom_en: `${name} (en)`, statut }))),
  publie: true,
  version: 1,
})
const ribbonOf = (id: number, nom: string, days = 'o'.repeat(90), lengths: Ribbon['lengths'] = {}): Ribbon => ({
  id_reseau: id,
  nom,
  since: '2026-01-01T00:00:00.000Z',
  changed: since,
  availability: 0.99949,
  days,
  lengths,
})
const incident: Incident = {
  id_incident: 7,
  number: '2026-014',
  title: 'Coupures <brèves>',
  title_en: 'Short drops',
  severity: 'WARNING',
  phase: 'identified',
  started_at: since,
  resolved_at: null,
  elements: [{ id_reseau: 1, nom: 'Téléphonie' }],
  updates: [
    { id_update: 1, phase: 'investigating', text: 'Premier', text_en: 'First', at: since },
    { id_update: 2, phase: 'identified', text: 'Second', text_en: '', at: '2026-11-20T14:31:00.000Z' },
  ],
  source: 'staff',
  draft: false,
  next_update_at: '2026-11-20T15:15:00.000Z',
  meanwhile: 'Le renvoi fonctionne.',
  meanwhile_en: '',
  version: 1,
}
const network = networkOf(1, 'Québec', 'ONLINE', { Téléphonie: 'WARNING', Fibre: 'OK' })
const input = { networks: [network], ribbons: [ribbonOf(1, 'Téléphonie'), ribbonOf(1, 'Fibre')], incidents: [incident] }

test('the title is the sentence: element, network, state, since when, in the time of the company', () => {
  expect(describeStatus(input, 'fr', now).sentences).toEqual([
    'Téléphonie (Québec)\u00a0: service dégradé depuis 8\u00a0h\u00a040',
  ])
  expect(describeStatus(input, 'en', now)).toEqual({
    status: 'WARNING',
    sentences: [expect.stringMatching(/^Téléphonie \(en\) \(Québec\): degraded since 8:40\sAM$/) as string],
  })
  expect(describeStatus(input, 'fr', now + 86_400_000).sentences).toEqual([
    'Téléphonie (Québec)\u00a0: service dégradé depuis le 20 nov. 2026, 8\u00a0h\u00a040',
  ])
  expect(describeOthers(input, 'fr')).toBe('L’autre élément est en service')
})

test('sorts sentences worst first, counts more than three, and has one for no problem', () => {
  const bad = networkOf(2, 'Montréal', 'OFFLINE', { Fibre: 'OK' })
  const two = describeStatus({ ...input, networks: [network, bad] }, 'fr', now)
  expect(two.status).toBe('ERROR')
  expect(two.sentences.map((one) => one.slice(0, 9))).toEqual(['Montréal\u00a0', 'Téléphoni'])
  const many = networkOf(3, 'Mauricie', 'ONLINE', { a: 'ERROR', b: 'ERROR', c: 'WARNING' })
  expect(describeStatus({ ...input, networks: [network, many] }, 'fr', now).sentences).toEqual([
    '4 éléments touchés dans 2 réseaux',
  ])
  const well = { networks: [networkOf(1, 'Québec', 'ONLINE', { a: 'OK' })], ribbons: [], incidents: [] }
  expect(describeStatus(well, 'en', now)).toEqual({ status: 'OK', sentences: ['All systems operational'] })
})

test('a degraded network as such, which has no status for it, is in the sentence while its outage lasts', () => {
  const networks = [networkOf(2, 'Rimouski', 'ONLINE', {})]
  const outage = { ...incident, elements: [{ id_reseau: 2, nom: '' }] }
  expect(describeStatus({ networks, ribbons: [], incidents: [outage] }, 'fr', now)).toEqual({
    status: 'WARNING',
    sentences: ['Rimouski\u00a0: service dégradé depuis 8\u00a0h\u00a040'],
  })
  expect(renderStrip({ networks, ribbons: [], incidents: [outage] }, 'en')).toContain('Rimouski: degraded since')
  const over = { ...outage, phase: 'resolved' as const, resolved_at: since }
  expect(describeStatus({ networks, ribbons: [], incidents: [over] }, 'fr', now).status).toBe('OK')
})

test('an incident shows its phases, its updates latest first, the next one, what is touched, in words and escaped', () => {
  const html = renderIncident(incident, input.networks, 'fr', { now })
  expect(html).toContain('Coupures &lt;brèves&gt;')
  expect(html.match(/aria-current="step"/g)).toHaveLength(1)
  expect(html).toMatch(/hole-now" aria-current="step">.*?Cause trouvée/)
  expect(html.indexOf('Second')).toBeLessThan(html.indexOf('Premier'))
  expect(html).toContain('dans 23\u00a0min')
  expect(html).toContain('Téléphonie (Québec)')
  expect(html).toMatch(/Pas touché.*Fibre/)
  expect(renderIncident(incident, input.networks, 'fr', { now: now + 29 * 60_000 })).toContain('en retard de 6\u00a0min')
  const english = renderIncident(incident, input.networks, 'en', { now })
  expect(english).toContain('<p lang="fr-CA">Second</p>')
  expect(english).toContain('href="/reseau/incident/7?lang=en"')
})

test('a resolved incident stays a day, then is history alone', () => {
  const done: Incident = { ...incident, phase: 'resolved', resolved_at: '2026-11-20T15:40:00.000Z' }
  const at = Date.parse('2026-11-21T15:00:00Z')
  expect(renderIncidents({ ...input, incidents: [done] }, 'fr', at)).toContain('Durée\u00a0: 2\u00a0h')
  expect(renderIncidents({ ...input, incidents: [done] }, 'fr', at + 3_600_000)).toBe('')
  expect(renderHistory({ incidents: [done] }, 'fr', at)).toMatch(/Novembre 2026.*1 panne.*Coupures/)
})

test('cards and rows show the state of the worst component', () => {
  const html = (networks: Network[]) => renderNetworks({ ...input, networks }, 'fr', '/reseau', now)
  expect(html([network])).toMatch(/net-warn.*text-warn.*EN LIGNE, 1 élément dégradé/)
  expect(html([networkOf(1, 'Québec', 'ONLINE', { Fibre: 'ERROR' })])).toMatch(/net-err.*text-err.*EN LIGNE, 1 élément en panne/)
  expect(html([networkOf(1, 'Québec', 'OFFLINE', { Fibre: 'OK' })])).toMatch(/text-err.*HORS LIGNE<.*En panne/)
  expect(html([networkOf(1, 'Québec', 'ONLINE', { Fibre: 'OK' })])).toMatch(/text-ok.*EN LIGNE</)
  expect(html([networkOf(1, 'Québec', '', {})])).toContain('Non indiqué')
  const order = html([networkOf(1, 'A', 'ONLINE', { a: 'OK' }), networkOf(2, 'B', 'OFFLINE', {})])
  expect(order.indexOf('>B<')).toBeLessThan(order.indexOf('>A<'))
})

test('of the three icons of a row, one alone is coloured, and each is drawn once for all', () => {
  const html = renderNetworks(input, 'fr', '/reseau', now)
  const [, row = ''] = /<tr>(<th scope="row"><span>Téléphonie.*?)<\/tr>/.exec(html) ?? []
  const icons = row.match(/<td class="i">/g)
  expect(icons).toHaveLength(3)
  expect(row.match(/icon-muted/g)).toHaveLength(2)
  expect(row).toMatch(/text-warn" role="img" aria-label="Avertissement"/)
  expect(html.match(/<symbol/g)).toHaveLength(3)
})

test('a ribbon has a text alternative: how many days, and which had problems', () => {
  const days = `${'.'.repeat(10)}${'o'.repeat(76)}ewmo`
  const ribbons = [ribbonOf(1, 'Téléphonie', days, { 86: [60, 0, 0], 87: [0, 95, 0], 88: [0, 0, 30] })]
  const html = renderNetworks({ ...input, ribbons }, 'fr', '/reseau', now)
  expect(html).toContain('Téléphonie, 90 derniers jours\u00a0: 1 jour en panne, 1 jour dégradé')
  expect(html).toContain('17 novembre 2026\u00a0: en panne, 1\u00a0h')
  expect(html).toContain('dégradé, 1\u00a0h\u00a035')
  expect(html).toContain('entretien, 30\u00a0min')
  expect(html).toContain('99,94\u00a0%')
  // A stop of the keyboard once its days can be moved through.
  expect(html.match(/<div class="ribbon" role="img"/g)).toHaveLength(1)
  expect(html).not.toContain('tabindex')
})

test('a run of equal days is one stroke, whatever its length', () => {
  expect(drawRibbon('o'.repeat(90)).match(/M/g)).toHaveLength(1)
  expect(drawRibbon(`${'o'.repeat(40)}w${'o'.repeat(49)}`).match(/d-o" d="M[^M]+M[^M]+"/)).not.toBeNull()
})

test('the page does not grow faster than its components', () => {
  const many = (count: number) => {
    const networks = Array.from({ length: count / 25 }, (_, id) =>
      networkOf(
        id + 1,
        `N${id}`,
        'ONLINE',
        Object.fromEntries(Array.from({ length: 25 }, (__, at) => [`E${at}`, 'OK' as const])),
      ),
    )
    const ribbons = networks.flatMap(({ id_reseau }) => Array.from({ length: 25 }, (_, at) => ribbonOf(id_reseau, `E${at}`)))
    return renderNetworks({ networks, ribbons, incidents: [] }, 'fr', '/reseau', now).length
  }
  expect(many(3_000)).toBeLessThan(many(300) * 10.2)
})

test('on other pages, a line leads to the status page while something is wrong, and there is none when all is well', () => {
  const input = (statut: Statut) => ({
    networks: [networkOf(1, 'Québec', 'ONLINE', { Fibre: statut })],
    ribbons: [ribbonOf(1, 'Fibre')],
    incidents: [],
  })
  expect(renderStrip(input('OK'), 'fr')).toBe('')
  const strip = renderStrip(input('ERROR'), 'en')
  expect(strip).toContain('href="/reseau"')
  expect(strip).toContain('down')
  const bad = { ...input('OK'), ribbons: [ribbonOf(1, 'Fibre', `${'o'.repeat(89)}e`, { 89: [12, 0, 0] })] }
  expect(renderNetworks(bad, 'en')).toMatch(/<li>\w+ \d+, \d{4}: down, 12\u00a0min<\/li>/)
  expect(renderNetworks(bad, 'fr')).toMatch(/\u00a0: en panne, 12\u00a0min<\/li>/)
  // While it runs an open page would soon show too few minutes.
  const running = { ...bad, networks: input('ERROR').networks }
  expect(renderNetworks(running, 'en', '/reseau', now)).toMatch(/<li>\w+ \d+, \d{4}: down, since 8:40\sAM<\/li>/)
  expect(renderNetworks(running, 'fr', '/reseau', now)).toMatch(/\u00a0: en panne, depuis 8\u00a0h\u00a040<\/li>/)
  expect(renderNetworks(running, 'fr', '/reseau', now)).toContain('data-since="depuis 8\u00a0h\u00a040"')
  // What is well folds on a phone; a problem does not.
  expect(renderNetworks(input('OK'), 'fr')).toContain('<details class="net-fold">')
  expect(renderNetworks(input('WARNING'), 'fr')).not.toContain('net-fold')
})

test('an element with a state and no name is in the title and in its card, without the history of its network', () => {
  const nameless: Network = { ...network, details: JSON.stringify([{ nom: '', nom_en: '', statut: 'ERROR' }]) }
  const ofNetwork = { networks: [nameless], ribbons: [ribbonOf(1, '')], incidents: [] }
  expect(describeStatus(ofNetwork, 'fr', now).sentences).toEqual(['Élément sans nom (Québec)\u00a0: en panne'])
  expect(describeStatus(ofNetwork, 'en', now).sentences[0]).toContain('Unnamed component (Québec)')
  const html = renderNetworks(ofNetwork, 'fr')
  expect(html).toContain('Élément sans nom')
})
