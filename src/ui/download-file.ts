import { parseResponse, requestApi } from './api.ts'

/** Downloads a file of the API under the name of its `content-disposition`; throws `ApiError`. */
export async function downloadFile(...call: Parameters<typeof requestApi>) {
  const response = await requestApi(...call)
  if (!response.ok) await parseResponse(response)
  const [, name = ''] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  saveFile(name, await response.blob())
}

/** Saves what the page itself made as a file. */
export function saveFile(name: string, content: Blob) {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
