import { ApiError } from '#src/ui/api.ts'
import { readCookie } from '#src/ui/storage.ts'

/** Asks for the file and hands it to the browser; the address stays out of every URL. */
export async function saveExport(email: string, format: 'json' | 'csv') {
  const response = await fetch('/api/privacy/export', {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json', 'x-xsrf-token': readCookie('XSRF-TOKEN') ?? '' },
    body: JSON.stringify({ email, format }),
  })
  if (!response.ok) throw new ApiError(response.status, {})
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = `renseignements.${format}`
  link.click()
  URL.revokeObjectURL(address)
}
