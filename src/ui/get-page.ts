import { parseResponse, requestApi } from './api.ts'

/** One page of a list, with the total number of entries. */
export async function getPage(path: string, signal?: AbortSignal): Promise<{ rows: unknown[]; total: number }> {
  const response = await requestApi('GET', path, undefined, signal)
  const rows = await parseResponse<unknown[]>(response)
  return { rows, total: Number(response.headers.get('x-total-count') ?? rows.length) }
}
