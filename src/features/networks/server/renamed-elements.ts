import { and, eq, inArray, sql } from 'drizzle-orm'
import { renameInWindows } from '#src/features/updates/server/service.ts'
import type { Database } from '#src/server/database/database.ts'
import { networkMonitors } from '../monitors/server/table.ts'
import { elementName } from '../values.ts'
import { elementChanges, elementMonths, networkIncidents } from './table.ts'

/* Components have no number of their own: whatever refers to one by its name follows it to its new one. */

type Named = { nom: string; nom_en: string }

/** A component at the same place whose former name is gone and whose new one was not there is the same component. */
export function findRenamed(before: readonly Named[], after: readonly Named[]) {
  const [old, current] = [before.map(elementName), after.map(elementName)]
  return old.flatMap((name, index): [string, string][] => {
    const renamed = current[index]
    if (!name || !renamed || name === renamed || current.includes(name) || old.includes(renamed)) return []
    return [[name, renamed]]
  })
}

/** Renames a component in its history, its monitors, its outages and its maintenance. */
export async function renameElement(tx: Database, networkId: number, from: string, to: string) {
  await tx
    .update(elementChanges)
    .set({ element: to })
    .where(and(eq(elementChanges.networkId, networkId), eq(elementChanges.element, from)))
  // A removed component may have had the new name; the history of the one that goes on counts.
  const months = tx
    .select({ month: elementMonths.month })
    .from(elementMonths)
    .where(and(eq(elementMonths.networkId, networkId), eq(elementMonths.element, from)))
  await tx
    .delete(elementMonths)
    .where(and(eq(elementMonths.networkId, networkId), eq(elementMonths.element, to), inArray(elementMonths.month, months)))
  await tx
    .update(elementMonths)
    .set({ element: to })
    .where(and(eq(elementMonths.networkId, networkId), eq(elementMonths.element, from)))
  await tx
    .update(networkMonitors)
    .set({ element: to })
    .where(and(eq(networkMonitors.networkId, networkId), eq(networkMonitors.element, from)))
  await renameInIncidents(tx, networkId, from, to)
  await renameInWindows(tx, { id_reseau: networkId, nom: from }, to)
}

async function renameInIncidents(tx: Database, networkId: number, from: string, to: string) {
  const rename = <One extends { id_reseau: number; nom: string }>(all: readonly One[]) =>
    all.map((one) => (one.id_reseau === networkId && one.nom === from ? { ...one, nom: to } : one))
  const named = JSON.stringify([{ id_reseau: networkId, nom: from }])
  const rows = await tx
    .select()
    .from(networkIncidents)
    .where(sql`${networkIncidents.elements} @> ${named}::jsonb or ${networkIncidents.statuses} @> ${named}::jsonb`)
  for (const { id, elements, statuses, undo } of rows) {
    const { applied = [], before } = undo ?? {}
    await tx
      .update(networkIncidents)
      .set({
        elements: rename(elements),
        statuses: rename(statuses),
        undo: undo && before ? { ...undo, applied: rename(applied), before: { ...before, set: rename(before.set) } } : null,
      })
      .where(eq(networkIncidents.id, id))
  }
}
