import { afterEach, expect, test, vi } from 'vitest'
import { jobsPageSize } from '../values.ts'
import { readAllJobs } from './admin-jobs-page.tsx'

afterEach(() => vi.unstubAllGlobals())

test('an export has the recent postings and every page of older ones', async () => {
  const older = Array.from({ length: jobsPageSize + 1 }, (_, index) => ({ id_emploi: index + 2 }))
  vi.stubGlobal('fetch', (path: string) => {
    const page = new URL(path, 'https://example.com').searchParams.get('page')
    if (!page) return Promise.resolve(Response.json([{ id_emploi: 1 }]))
    const rows = older.slice((Number(page) - 1) * jobsPageSize, Number(page) * jobsPageSize)
    return Promise.resolve(Response.json(rows, { headers: { 'x-total-count': String(older.length) } }))
  })
  expect((await readAllJobs()).map((job) => job.id_emploi)).toEqual([1, ...older.map((job) => job.id_emploi)])
})
