import { asc, eq } from 'drizzle-orm'
import type { Database } from '#src/server/database.ts'
import type { Events } from '#src/server/events.ts'
import { NotFound } from '#src/server/problems.ts'
import type { Network, NetworkInput, NetworkStatus } from '../contract.ts'
import { parseDetails } from '../contract.ts'
import { networks } from './table.ts'

type Context = { db: Database; events: Events }

export async function findAllNetworks(db: Database) {
  const rows = await db.select().from(networks).orderBy(asc(networks.name), asc(networks.id))
  return rows.map(toNetwork)
}

export async function findNetwork(db: Database, id: number) {
  const [row] = await db.select().from(networks).where(eq(networks.id, id))
  if (!row) throw new NotFound('This network does not exist.')
  return toNetwork(row)
}

/** The one light of the header: the worst of all networks and details (contract.md 3). */
export async function findHeaderStatus(db: Database): Promise<NetworkStatus> {
  const rows = await db.select({ status: networks.status, details: networks.details }).from(networks)
  const statuses = rows.flatMap((row) => row.details.map((detail) => detail.statut))
  if (rows.some((row) => row.status === 'OFFLINE') || statuses.includes('ERROR')) return 'ERROR'
  return statuses.includes('WARNING') ? 'WARNING' : 'OK'
}

export async function createNetwork({ db, events }: Context, input: NetworkInput) {
  const [row] = await db.insert(networks).values(toRow(input)).returning()
  if (!row) throw new Error('the network was not stored')
  events.changed('networks')
  return toNetwork(row)
}

export async function updateNetwork({ db, events }: Context, id: number, input: NetworkInput) {
  const [row] = await db
    .update(networks)
    .set({ ...toRow(input), updatedAt: new Date() })
    .where(eq(networks.id, id))
    .returning()
  if (!row) throw new NotFound('This network does not exist.')
  events.changed('networks')
  return toNetwork(row)
}

export async function deleteNetwork({ db, events }: Context, id: number) {
  const removed = await db.delete(networks).where(eq(networks.id, id)).returning({ id: networks.id })
  if (removed.length === 0) throw new NotFound('This network does not exist.')
  events.changed('networks')
}

function toRow(input: NetworkInput) {
  return { name: input.nom, status: input.status, details: parseDetails(input.details) }
}

function toNetwork(row: typeof networks.$inferSelect): Network {
  return { id_reseau: row.id, nom: row.name, status: row.status, details: JSON.stringify(row.details) }
}
