import { fetchFile } from './api.ts'

/** Downloads a file of the API under the name of its `content-disposition`; throws `ApiError`. */
export async function downloadFile(...call: Parameters<typeof fetchFile>) {
  const response = await fetchFile(...call)
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
