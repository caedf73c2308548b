import { asc } from 'drizzle-orm'
import type { Reader } from '#src/server/cache/content-cache.ts'
import { defineEntries } from '#src/features/content/server/entries.ts'
import type { Network, NetworkInput } from '../contract.ts'
import { parseDetails } from '../contract.ts'
import type { NetworkStatus } from '../values.ts'
import { worstStatus } from '../values.ts'
import { networks } from './table.ts'

export const networkEntries = defineEntries<typeof networks, Network, NetworkInput>({
  area: 'networks',
  live: 'networks',
  table: networks,
  orderBy: [asc(networks.name), asc(networks.id)],
  toEntity: (row) => ({
    id_reseau: row.id,
    nom: row.name,
    status: row.status,
    details: JSON.stringify(row.details),
    version: row.version,
  }),
  toRow: (input) => ({ name: input.nom, status: input.status, details: parseDetails(input.details) }),
})

export const readNetworks = ({ content, db }: Reader) => content.read('networks', 'all', () => networkEntries.findAll(db))

/** The one light of the header. */
export async function readHeaderStatus(reader: Reader): Promise<NetworkStatus> {
  return worstStatus(await readNetworks(reader))
}
