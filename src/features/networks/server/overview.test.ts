import { expect, test, vi } from 'vitest'
import type { Reader } from '#src/server/cache/content-cache.ts'
import type { Ribbon } from '../contract.ts'
import { splitNetworks } from '../status-html.ts'
import { drawSections } from './overview.ts'

const reader = () => ({ content: {} }) as Reader
const partOf = (id: number, source: string, render = vi.fn(() => `<p>${id} ${source}</p>`)) => ({
  id,
  source: () => source,
  render,
})

test('a network is drawn again only when it or its history changed', async () => {
  const [same, changed, gone] = [partOf(1, 'a'), partOf(2, 'b'), partOf(3, 'c')]
  const own = reader()
  const before = await drawSections(own, 'fr', [same, changed, gone])
  const [again, other] = [partOf(1, 'a'), partOf(2, 'B')]
  const after = await drawSections(own, 'fr', [other, again])
  expect(again.render).not.toHaveBeenCalled()
  const html = '<p>2 B</p>'
  expect(after).toEqual([{ id: 2, html, bytes: Buffer.from(html), hash: expect.any(String) as string }, before[0]])
  expect(after[0]?.hash).not.toBe(before[1]?.hash)
  const back = partOf(3, 'c')
  await drawSections(own, 'fr', [back])
  expect(back.render).toHaveBeenCalledOnce()
})

test('what an outage only makes longer is no change of its network', async () => {
  const hashOf = async (statut: string, today: [number, number, number], availability: number, yesterday = 5) => {
    const details = JSON.stringify([{ nom: 'Fibre', nom_en: '', statut }])
    const ribbon: Ribbon = {
      id_reseau: 1,
      nom: 'Fibre',
      since: '2026-01-01T00:00:00.000Z',
      changed: '2026-11-20T13:40:00.000Z',
      availability,
      days: `${'o'.repeat(88)}ee`,
      lengths: { 88: [yesterday, 0, 0], 89: today },
    }
    const networks = [{ id_reseau: 1, nom: 'Québec', status: 'ONLINE' as const, details, publie: true, version: 1 }]
    const { sections } = splitNetworks({ networks, ribbons: [ribbon], incidents: [] }, 'fr')
    return (await drawSections(reader(), 'fr', sections))[0]?.hash
  }
  const down = await hashOf('ERROR', [12, 0, 0], 0.99912)
  expect(await hashOf('ERROR', [13, 0, 0], 0.99911)).toBe(down)
  expect(await hashOf('ERROR', [13, 0, 0], 0.98911)).toBe(down)
  // Degraded since it was down earlier in the day.
  const degraded = await hashOf('WARNING', [12, 1, 0], 0.99912)
  expect(await hashOf('WARNING', [12, 2, 0], 0.99911)).toBe(degraded)
  // In announced maintenance since it was down earlier in the day.
  const maintained = await hashOf('ERROR', [12, 0, 1], 0.99912)
  expect(await hashOf('ERROR', [12, 0, 2], 0.99912)).toBe(maintained)
  // Over, or another outage: a change.
  const changed = [hashOf('OK', [12, 0, 0], 0.99912), hashOf('ERROR', [12, 0, 0], 0.99912, 6)]
  expect(new Set([down, degraded, ...(await Promise.all(changed))]).size).toBe(4)
})

test('each language and each product has its own', async () => {
  const own = reader()
  await drawSections(own, 'fr', [partOf(1, 'a')])
  for (const [content, language] of [
    [own, 'en'],
    [reader(), 'fr'],
  ] as const) {
    const part = partOf(1, 'a')
    await drawSections(content, language, [part])
    expect(part.render).toHaveBeenCalledOnce()
  }
})

test('long works at once share the time between others', async () => {
  const turns: number[] = []
  let turn = 0
  const watch = { isOver: false }
  const count = () => {
    turn += 1
    if (!watch.isOver) setImmediate(count)
  }
  setImmediate(count)
  const slow = vi.fn(() => {
    const until = performance.now() + 6
    while (performance.now() < until);
    turns.push(turn)
    return ''
  })
  const parts = [1, 2, 3].map((id) => partOf(id, 'a', slow))
  await Promise.all([1, 2, 3].map(() => drawSections(reader(), 'fr', parts)))
  watch.isOver = true
  // Each begins at once; then one of them goes on in a turn.
  const later = turns.slice(3)
  expect(later).toHaveLength(6)
  expect(new Set(later).size).toBe(6)
})

test('others come in while many networks are drawn', async () => {
  const events: string[] = []
  const slow = (id: number) =>
    partOf(
      id,
      'a',
      vi.fn(() => {
        const until = performance.now() + 20
        while (performance.now() < until);
        events.push(`network ${id}`)
        return ''
      }),
    )
  setImmediate(() => events.push('another request'))
  await drawSections(reader(), 'fr', [slow(1), slow(2), slow(3)])
  expect(events).toEqual(['network 1', 'another request', 'network 2', 'network 3'])
})
