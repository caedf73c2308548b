/** Names the message about one update in one conversation: sent twice, also by a colleague, it is stored once. */
export function announcementId({ id_update: id, next_update: start }: { id_update: number; next_update: string }, chat: number) {
  const minute = hex(Date.parse(start) / 60_000, 7)
  return `${hex(id, 8)}-${minute.slice(0, 4)}-8${minute.slice(4)}-8000-${hex(chat, 12)}`
}

const hex = (value: number, length: number) => Math.floor(value).toString(16).padStart(length, '0')
