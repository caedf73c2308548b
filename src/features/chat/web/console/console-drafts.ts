const keyOf = (id: number) => `draft:chat/${id}`
const openKey = 'chat_console_open'

/** The answer being written in a chat; it stays in the tab until it is sent. */
export const readDraft = (id: number) => sessionStorage.getItem(keyOf(id)) ?? ''

export function keepDraft(id: number, text: string) {
  if (text) sessionStorage.setItem(keyOf(id), text)
  else sessionStorage.removeItem(keyOf(id))
}

/** The chats that were open side by side before a reload. */
export function readOpenChats(): number[] {
  const kept = (sessionStorage.getItem(openKey) ?? '').split(',').map(Number)
  return kept.filter((id) => Number.isInteger(id) && id > 0)
}

export function keepOpenChats(ids: readonly number[]) {
  sessionStorage.setItem(openKey, ids.join(','))
}
