import { callApi } from '#src/ui/api.ts'
import { readCookie } from '#src/ui/storage.ts'
import type { ChatMessage } from '../../values.ts'
import { chatAddress } from './chat-host.ts'

/** Sends a file as a message of the conversation; the same id again, after a failure, stores it once. */
export async function attachFile(idChat: string, clientMessageId: string, file: File): Promise<ChatMessage> {
  const input = { id_chat: idChat, client_message_id: clientMessageId, name: file.name, data: await toBase64(file) }
  const { message } = await callApi<{ message: ChatMessage }>('POST', chatAddress('attach'), input)
  return message
}

export const fetchAttached = (idChat: string, idFile: number) => fetchBlob('file', { id_chat: idChat, id_file: idFile })

export async function saveTranscript(idChat: string, language: string) {
  const { blob, name } = await fetchBlob('transcript-page', { id_chat: idChat, language })
  saveBlob(blob, name)
}

export function saveBlob(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has taken the address by the time it draws again, and the bytes need not stay.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

async function fetchBlob(call: string, body: object) {
  const address = chatAddress(call)
  const isOwn = address.startsWith('/')
  const token = isOwn ? readCookie('XSRF-TOKEN') : undefined
  const response = await fetch(address, {
    method: 'POST',
    credentials: isOwn ? 'include' : 'omit',
    headers: { 'content-type': 'application/json', ...(token ? { 'x-xsrf-token': token } : {}) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: name ?? 'conversation.html' }
}

function toBase64(file: File) {
  return new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(file)
  })
}
