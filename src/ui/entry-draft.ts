/** Unsaved values of an edit form, in this tab only. */
export function readEntryDraft(key: string): Record<string, unknown> | null {
  try {
    const kept = sessionStorage.getItem(storageKey(key))
    return kept ? (JSON.parse(kept) as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export function keepEntryDraft(key: string, values: object) {
  try {
    sessionStorage.setItem(storageKey(key), JSON.stringify(values))
  } catch (error) {
    // A full or forbidden storage must not keep anyone from writing.
    console.warn(error)
  }
}

export function forgetEntryDraft(key: string) {
  sessionStorage.removeItem(storageKey(key))
}

const storageKey = (key: string) => `draft:${key}`
