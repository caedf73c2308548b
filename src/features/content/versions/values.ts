/** Events after which an entry has the recorded state. */
export const savingActions = ['create', 'update', 'restore', 'reuse'] as const

/** Somebody else had saved meanwhile: what was refused is kept beside the former versions. */
export const refusedAction = 'refused'
export const versionActions: readonly string[] = [...savingActions, refusedAction]

/** The name of an entry: its first naming field. */
export function nameOf(...states: unknown[]) {
  for (const state of states) {
    const fields = fieldsOf(state)
    for (const key of ['nom', 'titre', 'display_name', 'name', 'note_date', 'title', 'reference', 'shortcut', 'username']) {
      const value = fields[key]
      if (typeof value === 'string' && value.trim()) return value
    }
  }
  return null
}

export function fieldsOf(state: unknown): Record<string, unknown> {
  return state !== null && typeof state === 'object' && !Array.isArray(state) ? (state as Record<string, unknown>) : {}
}
