import { tabStorage } from '#src/ui/storage.ts'

const keyOf = (id: number) => `draft:chat/${id}`
const noteKeyOf = (id: number) => `${keyOf(id)}:note`
const openKey = 'chat_console_open'

/** The draft of a chat, stored in the tab until it is sent. */
export const readDraft = (id: number) => tabStorage.read(keyOf(id)) ?? ''

/** Whether the draft is an internal note. */
export const isNoteDraft = (id: number) => tabStorage.read(noteKeyOf(id)) !== null

export function storeDraft(id: number, text: string, isNote: boolean) {
  tabStorage.write(keyOf(id), text || null)
  tabStorage.write(noteKeyOf(id), text && isNote ? '1' : null)
}

/** The chats that were open side by side before a reload. */
export function readOpenChats(): number[] {
  const kept = (tabStorage.read(openKey) ?? '').split(',').map(Number)
  return kept.filter((id) => Number.isInteger(id) && id > 0)
}

export function storeOpenChats(ids: readonly number[]) {
  tabStorage.write(openKey, ids.join(','))
}
