const keyOf = (id: number) => `draft:chat/${id}`
const noteKeyOf = (id: number) => `${keyOf(id)}:note`
const openKey = 'chat_console_open'

/** What is being written in a chat; it stays in the tab until it is sent. */
export const readDraft = (id: number) => sessionStorage.getItem(keyOf(id)) ?? ''

/** Whether it was begun as a note for colleagues: the visitor must not get it. */
export const isNoteDraft = (id: number) => sessionStorage.getItem(noteKeyOf(id)) !== null

export function keepDraft(id: number, text: string, isNote: boolean) {
  if (text) sessionStorage.setItem(keyOf(id), text)
  else sessionStorage.removeItem(keyOf(id))
  if (text && isNote) sessionStorage.setItem(noteKeyOf(id), '1')
  else sessionStorage.removeItem(noteKeyOf(id))
}

/** The chats that were open side by side before a reload. */
export function readOpenChats(): number[] {
  const kept = (sessionStorage.getItem(openKey) ?? '').split(',').map(Number)
  return kept.filter((id) => Number.isInteger(id) && id > 0)
}

export function keepOpenChats(ids: readonly number[]) {
  sessionStorage.setItem(openKey, ids.join(','))
}
