import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { ImportColumn, Importer } from '#src/features/content/server/importing.ts'
import { checkBy, cut, Refused } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import { limits, text } from '#src/lib/schemas.ts'
import { foldText } from '#src/lib/text/plain-text.ts'
import { auditLog } from '#src/server/audit-log/audit-log-table.ts'
import type { Database } from '#src/server/database/database.ts'
import { Invalid } from '#src/server/problems.ts'
import { lockNetworks, networkContent } from '../../server/service.ts'
import { elementChanges, networks } from '../../server/table.ts'
import { elementName } from '../../values.ts'
import type { MonitorInput } from '../contract.ts'
import { monitorInput } from '../contract.ts'
import type { MonitorKind } from '../values.ts'
import { openKuma } from './kuma.ts'
import { checkTarget, mostMonitors, toRow } from './monitors.ts'
import { monitorStatus, networkMonitors } from './table.ts'

const columns: ImportColumn[] = [
  { name: 'network', label: { fr: 'Réseau', en: 'Network' }, others: ['groupe', 'group'] },
  {
    name: 'element',
    label: { fr: 'Élément', en: 'Component' },
    others: ['composant', 'nom', 'name', 'service', 'sonde', 'monitor'],
  },
  { name: 'kind', label: { fr: 'Type', en: 'Kind' }, isRequired: true },
  { name: 'target', label: { fr: 'Cible', en: 'Target' }, others: ['url', 'adresse', 'address', 'host', 'hôte'] },
  { name: 'interval_s', label: { fr: 'Intervalle (s)', en: 'Interval (s)' }, others: ['intervalle', 'interval'] },
  { name: 'timeout_ms', label: { fr: 'Délai de réponse (ms)', en: 'Timeout (ms)' }, others: ['timeout'] },
  {
    name: 'failures_before',
    label: { fr: 'Échecs avant une panne', en: 'Failures before an outage' },
    others: ['échecs', 'failures'],
  },
  { name: 'status', label: { fr: 'Code attendu', en: 'Expected status' }, others: ['code'] },
  { name: 'text', label: { fr: 'Texte attendu', en: 'Expected text' }, others: ['keyword', 'mot-clé'] },
  { name: 'days_left', label: { fr: 'Jours avant l’expiration', en: 'Days before expiry' } },
  { name: 'then', label: { fr: 'Ensuite', en: 'Then' } },
]

const kindWords: Record<MonitorKind, readonly string[]> = {
  http: ['http', 'https', 'page', 'keyword', 'web'],
  tcp: ['tcp', 'port'],
  dns: ['dns', 'nom', 'name'],
  ping: ['ping', 'icmp'],
  certificate: ['certificate', 'certificat', 'tls', 'ssl'],
  signal: ['signal', 'push', 'heartbeat'],
}

/** Where monitors without a network go. */
const importedName = 'Importés'
const elementsMax = 100

/** The rest is that of every monitor. */
const named = z.looseObject({
  network: text(limits.name),
  element: text(limits.name),
  target: z.string(),
  status: z.unknown().optional(),
  text: z.unknown().optional(),
  days_left: z.unknown().optional(),
})
type Values = MonitorInput & { network: string }

const reasons = {
  address: { fr: 'Cette adresse n’est jamais surveillée.', en: 'This address is never monitored.' },
  target: { fr: 'Cible : elle n’a pas la forme de ce type.', en: 'Target: it has not the form of this kind.' },
  known: { fr: 'Cet élément a déjà une sonde de cette cible.', en: 'This component already has a monitor of this target.' },
  full: {
    fr: `Il y aurait plus de ${mostMonitors} sondes.`,
    en: `There would be more than ${mostMonitors} monitors.`,
  },
  crowded: {
    fr: `Un réseau a ${elementsMax} éléments au plus. Répartissez-les en plusieurs groupes.`,
    en: `A network has at most ${elementsMax} components. Divide them into several groups.`,
  },
  moved: {
    fr: 'Son réseau ou son élément a changé à la source.',
    en: 'Its network or component changed at the source.',
  },
}
const noElement = ({ network, element: component }: Values): Label => ({
  fr: `Le réseau « ${network} » est public et n’a pas d’élément « ${component} ». Ajoutez-le d’abord.`,
  en: `The network “${network}” is public and has no component “${component}”. Add it first.`,
})

type Network = typeof networks.$inferSelect
const isNamed = (name: string) => (network: Network) => network.name.trim().toLowerCase() === name.toLowerCase()
const hasElement = ({ details }: Network, element: string) =>
  element === '' || details.some((detail) => elementName(detail) === element)
const placeOf = (one: Pick<MonitorInput, 'element' | 'kind' | 'target'> & { network: string }) =>
  JSON.stringify([one.network.toLowerCase(), one.element, one.kind, one.target])

/** Why each of the new monitors cannot be stored beside what is here and those before it. */
async function findTaken(db: Database, values: readonly Values[]) {
  const stored = await db.select().from(networks)
  const monitors = await db
    .select({ monitor: networkMonitors, network: networks.name })
    .from(networkMonitors)
    .innerJoin(networks, eq(networks.id, networkMonitors.networkId))
  const places = new Set(monitors.map(({ monitor, network }) => placeOf({ ...monitor, network })))
  const added = new Map<string, Set<string>>()
  let count = monitors.length
  return values.map((one) => {
    const network = stored.find(isNamed(one.network))
    const key = one.network.toLowerCase()
    const elements = added.get(key) ?? new Set(network?.details.map(elementName))
    if (places.has(placeOf(one))) return reasons.known
    if (network?.isPublished && network.name.trim() && !hasElement(network, one.element)) return noElement(one)
    if (one.element !== '') elements.add(one.element)
    added.set(key, elements)
    if (elements.size > elementsMax) return reasons.crowded
    count += 1
    if (count > mostMonitors) return reasons.full
    places.add(placeOf(one))
    return null
  })
}

/** The network of this name with its component; a new one is a draft, and a draft gets its component. */
async function findOrAdd(tx: Database, { network: name, element }: Values) {
  const stored = (await tx.select().from(networks)).find(isNamed(name))
  const detail = { nom: element, nom_en: '', statut: 'OK' as const }
  if (!stored) {
    const details = JSON.stringify(element ? [detail] : [])
    const [id = 0] = await networkContent.importer.create(tx, [{ nom: name, status: '', details, publie: false }])
    return id
  }
  if (!hasElement(stored, element)) {
    const details = JSON.stringify([...stored.details, detail])
    await networkContent.importer.update(tx, stored.id, {
      nom: stored.name,
      status: stored.status,
      details,
      publie: stored.isPublished,
    })
  }
  return stored.id
}

/** Takes back what an import added to drafts: components that no monitor has any more, and networks that are then empty. */
async function removeAdded(tx: Database, places: readonly { networkId: number; element: string }[]) {
  for (const networkId of new Set(places.map((one) => one.networkId))) {
    const [network] = await tx.select().from(networks).where(eq(networks.id, networkId))
    if (!network || network.isPublished) continue
    const monitored = await tx.select().from(networkMonitors).where(eq(networkMonitors.networkId, networkId))
    const removed = new Set(places.filter((one) => one.networkId === networkId).map(({ element }) => element))
    const added = await findAdded(tx, networkId)
    const details = network.details.filter((detail) => {
      const name = elementName(detail)
      return !removed.has(name) || !added.has(name) || monitored.some(({ element }) => element === name)
    })
    const isOurs = (await tx.$count(auditLog, isCreation(networkId))) === 0
    if (details.length === 0 && monitored.length === 0 && isOurs) await networkContent.importer.remove(tx, [networkId])
    else if (details.length < network.details.length) {
      const rest = { nom: network.name, status: network.status, publie: false }
      await networkContent.importer.update(tx, networkId, { ...rest, details: JSON.stringify(details) })
    }
  }
}

/** Somebody created it by hand. */
const isCreation = (networkId: number) =>
  and(
    eq(auditLog.area, 'networks'),
    eq(auditLog.entryId, String(networkId)),
    eq(auditLog.action, 'create'),
    isNotNull(auditLog.userId),
  )

/** Components that imports added: no change of staff has an empty author. */
async function findAdded(tx: Database, networkId: number) {
  const { element, from, author } = elementChanges
  const rows = await tx
    .select({ element })
    .from(elementChanges)
    .where(and(eq(elementChanges.networkId, networkId), isNull(from), eq(author, '')))
  return new Set(rows.map((one) => one.element))
}

/** Monitors of a list or of Uptime Kuma come paused; what they watch is a draft where it is not here yet. */
export const monitorImporter: Importer = {
  kind: 'monitors',
  label: { fr: 'Sondes de surveillance', en: 'Monitors' },
  hint: {
    fr: 'CSV ou JSON Lines : réseau, élément, type, cible; ou Uptime Kuma : la sauvegarde JSON de la version 1, ou kuma.db de la version 2. Elles arrivent en pause.',
    en: 'CSV or JSON Lines: network, component, kind, target; or Uptime Kuma: the JSON backup of version 1, or kuma.db of version 2. They come paused.',
  },
  accept: '.csv,.tsv,.txt,.jsonl,.ndjson,.json,.db,.sqlite',
  areas: ['networks'],
  columns,
  toValues(cells) {
    const folded = foldText((cells.kind ?? '').trim())
    const kind = Object.entries(kindWords).find(([, words]) => words.includes(folded))?.[0]
    if (!kind)
      throw new Refused({
        fr: `Type : « ${cells.kind?.slice(0, 60)} » n’est ni http, tcp, dns, ping, certificate ni signal.`,
        en: `Kind: “${cells.kind?.slice(0, 60)}” is not http, tcp, dns, ping, certificate or signal.`,
      })
    const numbers = ['interval_s', 'timeout_ms', 'failures_before', 'status', 'days_left'] as const
    return {
      network: cells.network ?? '',
      element: cells.element ?? '',
      kind,
      target: cells.target ?? '',
      ...Object.fromEntries(numbers.flatMap((name) => (cells[name] ? [[name, Number(cells[name])]] : []))),
      ...(cells.text && { text: cells.text }),
      ...(cells.then && { then: cells.then }),
    }
  },
  identify: ({ network = '', element = '', kind = '', target = '' }) => [network, element, kind, target].join('\n'),
  nameOf: ({ element = '', target = '' }) => element || target,
  readOther: openKuma,
  writers: {
    monitors: {
      area: 'networks',
      label: { fr: 'sondes en pause', en: 'paused monitors' },
      path: '/admin/reseau/surveillance/:id',
      async check(values): Promise<Values> {
        const { network, element, status, text: expected, days_left, ...rest } = checkBy(named, values, columns)
        const place = { network: network.trim() || importedName, element: element.trim() }
        const ownElement = network.trim() || element.trim() ? place.element : cut(rest.target, limits.name)
        const expect = Object.fromEntries(
          Object.entries({ status, text: expected, days_left }).filter(([, value]) => value !== undefined),
        )
        const input = checkBy(monitorInput, { ...rest, expect, id_reseau: 1, element: ownElement, enabled: false }, columns)
        try {
          checkTarget(input)
        } catch (error) {
          if (!(error instanceof Invalid)) throw error
          throw new Refused(error.errors?.[0]?.message === 'forbidden address' ? reasons.address : reasons.target)
        }
        return { ...input, network: place.network }
      },
      findTaken: (db, values) => findTaken(db, values as Values[]),
      async create(tx, values) {
        await lockNetworks(tx)
        const all = values as Values[]
        const taken = (await findTaken(tx, all)).find((reason) => reason !== null)
        if (taken) throw new Refused(taken)
        const ids: number[] = []
        for (const one of all) {
          const networkId = await findOrAdd(tx, one)
          const [stored] = await tx
            .insert(networkMonitors)
            .values(toRow({ ...one, id_reseau: networkId }))
            .returning({ id: networkMonitors.id })
          if (!stored) throw new Error('the monitor was not stored')
          await tx.insert(monitorStatus).values({ monitorId: stored.id, nextAt: new Date() })
          ids.push(stored.id)
        }
        return ids
      },
      async update(tx, id, values) {
        await lockNetworks(tx)
        const one = values as Values
        const [stored] = await tx
          .select({ monitor: networkMonitors, network: networks.name })
          .from(networkMonitors)
          .innerJoin(networks, eq(networks.id, networkMonitors.networkId))
          .where(eq(networkMonitors.id, id))
        if (!stored || stored.monitor.element !== one.element || stored.network.toLowerCase() !== one.network.toLowerCase())
          throw new Refused(reasons.moved)
        const { networkId, version } = stored.monitor
        await tx
          .update(networkMonitors)
          .set({ ...toRow({ ...one, id_reseau: networkId }), version: version + 1, updatedAt: new Date() })
          .where(eq(networkMonitors.id, id))
      },
      async remove(tx, ids) {
        await lockNetworks(tx)
        const removed = await tx.delete(networkMonitors).where(inArray(networkMonitors.id, ids)).returning()
        await removeAdded(tx, removed)
      },
      async findMarks(tx, ids) {
        const { id, version, tokenHash } = networkMonitors
        const rows = await tx.select({ id, version, tokenHash }).from(networkMonitors).where(inArray(id, ids))
        // The address of a signal that somebody made is in use.
        return new Map(rows.map((one) => [one.id, `${one.version} ${one.tokenHash !== null}`]))
      },
      async findNames(db, ids) {
        const { id, element, kind, target } = networkMonitors
        const rows = await db.select({ id, element, kind, target }).from(networkMonitors).where(inArray(id, ids))
        return new Map(rows.map((one) => [one.id, [one.element, one.target || one.kind].filter(Boolean).join(', ')]))
      },
    },
  },
}
