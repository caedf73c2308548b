import { asc, sql } from 'drizzle-orm'
import { lockWindows } from '#src/features/updates/server/service.ts'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Language } from '#src/lib/language/language.ts'
import type { Database } from '#src/server/database/database.ts'
import { defineContent } from '#src/features/content/server/content.ts'
import type { NameElements } from '#src/features/content/server/feature.ts'
import type { Network, NetworkInput } from '../contract.ts'
import { networkInput, parseDetails } from '../contract.ts'
import { networks as feature } from '../feature.ts'
import type { NetworkStatus } from '../values.ts'
import { nameTouched } from '../status-html.ts'
import { elementName, readDetails, worstStatus } from '../values.ts'
import { recordStatuses } from './history.ts'
import { findRenamed } from './renamed-elements.ts'
import { networks } from './table.ts'

/**
 * One at a time. Networks, outages and monitors refer to each other, and each change of one locks others: every transaction that
 * changes any of them takes this lock first, so that no two wait for each other.
 */
export async function lockNetworks(tx: Database) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('network_status'))`)
}

export const networkContent = defineContent<typeof networks, Network, NetworkInput>({
  entry: feature.entries[0],
  input: networkInput,
  idKey: 'id_reseau',
  nameOf: (network) => network.nom,
  alsoFoundBy: ({ details }) =>
    readDetails(details)
      .flatMap(({ nom, nom_en }) => [nom, nom_en])
      .filter(Boolean)
      .join(', '),
  reviewOf: (network) => ({ pairs: [['french', 'english']], fields: namesOf(network.details) }),
  table: networks,
  orderBy: [asc(networks.name), asc(networks.id)],
  toEntity: (row) => ({
    id_reseau: row.id,
    nom: row.name,
    status: row.status,
    details: JSON.stringify(row.details),
    publie: row.isPublished,
    version: row.version,
  }),
  toRow: (input) => ({
    name: input.nom,
    status: input.status,
    details: parseDetails(input.details),
    isPublished: input.publie,
  }),
  async onBegin(tx) {
    await lockNetworks(tx)
    // A component that gets another name changes the maintenance that names it.
    await lockWindows(tx)
  },
  onChange: recordStatuses,
  // Names and components come back; what works is as it is now. A component that was just removed is as it was.
  async fromFormer(_db, former, current, isUndo) {
    const [was, is] = [readDetails(former.details), readDetails(current.details)]
    const now = new Map(is.map((detail) => [elementName(detail), detail.statut]))
    for (const [name, renamed] of findRenamed(is, was)) now.set(renamed, now.get(name) ?? 'OK')
    const details = was.map((detail) => ({
      ...detail,
      statut: now.get(elementName(detail)) ?? (isUndo ? detail.statut : 'OK'),
    }))
    return { ...former, status: current.status, details: JSON.stringify(details) }
  },
})

/** The networks that are public. */
export const readNetworks = ({ content, db }: Reader) =>
  content.read('networks', 'all', async () => (await networkContent.findAll(db)).filter(isPublic))

/** One without a name is a draft too. */
export const isPublic = ({ nom, publie }: Pick<Network, 'nom' | 'publie'>) => publie && nom.trim() !== ''

/** The one light of the header. */
export async function readHeaderStatus(reader: Reader): Promise<NetworkStatus> {
  return worstStatus(await readNetworks(reader))
}

/** The elements of a network as one pair: the English is missing where one element has none. */
function namesOf(details: string) {
  const untranslated = readDetails(details).find((detail) => detail.nom.trim() && !detail.nom_en.trim())
  return { french: untranslated?.nom ?? '', english: '' }
}

export const nameElements: NameElements = async (reader, elements) => {
  const all = await readNetworks(reader)
  return elements.map((one) => {
    const network = all.find(({ id_reseau }) => id_reseau === one.id_reseau)
    const isThere = network && (one.nom === '' || readDetails(network.details).some((detail) => elementName(detail) === one.nom))
    const nameIn = (language: Language) => nameTouched({ elements: [one] }, all, language).join('')
    return isThere ? { fr: nameIn('fr'), en: nameIn('en') } : null
  })
}
