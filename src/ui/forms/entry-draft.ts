import { tabStorage } from '../storage.ts'

/** Unsaved values of an edit form in this tab (`values`), and the saved values they started from (`base`). */
export type EntryDraft = { values: Record<string, unknown>; base: Record<string, unknown> }

let owner = ''

/** Sets the user whose drafts these are: another user who signs in to the same tab does not see them. */
export function setDraftOwner(id: number) {
  owner = String(id)
}

export function readEntryDraft(key: string): EntryDraft | null {
  const draft = read(storageKey(key)) as Partial<EntryDraft> | null
  if (!draft?.values || !draft.base) return null
  const large = read(largeKey(key)) as Record<string, unknown> | null
  return { values: { ...draft.values, ...large }, base: draft.base }
}

export function storeEntryDraft(key: string, draft: EntryDraft) {
  keep(storageKey(key), draft)
}

/** Large values, such as a photo, are stored separately, so that they are not written again at each keystroke. */
export function storeLargeValues(key: string, values: object) {
  keep(largeKey(key), values)
}

export function deleteEntryDraft(key: string) {
  tabStorage.write(storageKey(key), null)
  tabStorage.write(largeKey(key), null)
}

function read(key: string): unknown {
  try {
    return JSON.parse(tabStorage.read(key) ?? 'null')
  } catch {
    return null
  }
}

function keep(key: string, value: object) {
  tabStorage.write(key, JSON.stringify(value))
}

const storageKey = (key: string) => `draft:${owner}:${key}`
const largeKey = (key: string) => `${storageKey(key)}:large`
