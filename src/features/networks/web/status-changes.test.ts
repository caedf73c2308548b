import { afterEach, expect, test, vi } from 'vitest'
import { revalidateArea } from '#src/ui/live/live-areas.ts'
import type { PageParts } from './status-changes.ts'
import { loadSummary, updateStatusPage } from './status-changes.ts'

afterEach(() => vi.unstubAllGlobals())

const page: PageParts = {
  status: 'OK',
  sentences: [],
  others: '',
  hasNetworks: true,
  incidents: '',
  hashes: { head: 'abcde', 7: 'fghij' },
}
const summary = { status: 'ERROR', strip: { fr: '', en: '' } }

test('a page and its layout ask once for each live change, also where another one comes meanwhile', async () => {
  const asked: string[] = []
  const answers: (() => void)[] = []
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    const changes = { isOutdated: false, hashes: { 7: `new0${asked.length}` }, sections: [], gone: [], summary }
    return new Promise<Response>((resolve) => {
      answers.push(() => resolve(Response.json(changes)))
    })
  })
  const load = () => Promise.all([loadSummary('fr', page), updateStatusPage('fr', page)])
  const loads: ReturnType<typeof load>[] = []
  const revalidate = async () => void loads.push(load())
  await revalidateArea('networks', revalidate)
  await revalidateArea('networks', revalidate)
  expect(asked).toEqual(Array(2).fill('/api/networks/status_changes?lang=fr&known=7.fghij.head.abcde'))
  for (const answer of answers) answer()
  expect((await Promise.all(loads)).map(([, changed]) => changed?.hashes)).toEqual([
    { head: 'abcde', 7: 'new01' },
    { head: 'abcde', 7: 'new02' },
  ])
})
