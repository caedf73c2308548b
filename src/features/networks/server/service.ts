import { asc } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import { defineEntries } from '#src/server/entries.ts'
import type { Network, NetworkInput } from '../contract.ts'
import { parseDetails } from '../contract.ts'
import type { NetworkStatus } from '../values.ts'
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

/** The one light of the header: the worst of all networks and details (contract.md 3). */
export async function findHeaderStatus(db: Database): Promise<NetworkStatus> {
  const rows = await db.select({ status: networks.status, details: networks.details }).from(networks)
  const statuses = rows.flatMap((row) => row.details.map((detail) => detail.statut))
  if (rows.some((row) => row.status === 'OFFLINE') || statuses.includes('ERROR')) return 'ERROR'
  return statuses.includes('WARNING') ? 'WARNING' : 'OK'
}
