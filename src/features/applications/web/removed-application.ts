/** In the state of the navigation to the list: a suspected application that was deleted, and can be brought back. */
export type RemovedApplication = { id: number; reference: string; at: number }

export function readRemoved(state: unknown): RemovedApplication | null {
  const removed = (state as { removed?: RemovedApplication } | null)?.removed
  return removed ?? null
}
