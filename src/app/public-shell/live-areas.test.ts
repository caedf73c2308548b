import { resolve } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import type { ShouldRevalidateFunction } from 'react-router'
import { createMemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import routes from '#src/routes.ts'
import { features } from '#src/app/features.ts'
import { revalidateArea, revalidateOn } from '#src/ui/live/live-areas.ts'

const liveAreas = features.flatMap(({ liveAreas = [] }) => liveAreas)

function openPage() {
  const loads = { frame: vi.fn(() => 'OK'), page: vi.fn(async () => 'jobs'), text: vi.fn(() => 'text') }
  const router = createMemoryRouter([
    {
      path: '/',
      loader: loads.frame,
      shouldRevalidate: revalidateOn('networks'),
      children: [
        { path: 'jobs', loader: loads.page, shouldRevalidate: revalidateOn('jobs', 'notes') },
        { path: 'about', loader: loads.text, shouldRevalidate: revalidateOn() },
      ],
    },
  ])
  const go = async (path: string) => {
    await router.navigate(path)
    for (const load of Object.values(loads)) load.mockClear()
  }
  const counts = () => Object.values(loads).map((load) => load.mock.calls.length)
  return { router, go, counts, revalidate: () => router.revalidate() }
}

test('a change reloads only the data that shows its area', async () => {
  const { go, counts, revalidate } = openPage()
  await go('/jobs')
  await revalidateArea('employees', revalidate)
  expect(counts()).toEqual([0, 0, 0])
  await revalidateArea('jobs', revalidate)
  expect(counts()).toEqual([0, 1, 0])
  await revalidateArea('networks', revalidate)
  expect(counts()).toEqual([1, 1, 0])
})

test('a page without live areas is not reloaded', async () => {
  const { go, counts, revalidate } = openPage()
  await go('/about')
  for (const area of liveAreas) await revalidateArea(area, revalidate)
  expect(counts()).toEqual([1, 0, 0])
})

test('two concurrent changes are both reloaded', async () => {
  const { go, counts, revalidate } = openPage()
  await go('/jobs')
  await Promise.all([revalidateArea('networks', revalidate), revalidateArea('jobs', revalidate)])
  expect(
    counts()
      .slice(0, 2)
      .every((count) => count > 0),
  ).toBe(true)
  await go('/jobs')
  await revalidateArea('employees', revalidate)
  expect(counts()).toEqual([0, 0, 0])
})

test('everything is reloaded where any area may have changed, or for another reason than a live change', async () => {
  const { go, counts, revalidate } = openPage()
  await go('/jobs')
  await revalidateArea(null, revalidate)
  expect(counts()).toEqual([1, 1, 0])
  await revalidate()
  expect(counts()).toEqual([2, 2, 0])
})

const pagesOf = (route: RouteConfigEntry): RouteConfigEntry[] => (route.children ? route.children.flatMap(pagesOf) : [route])
const publicPages = routes.filter(({ path, index }) => path === undefined && !index).flatMap(pagesOf)

test('each public page declares its live areas', async () => {
  const url = new URL('https://www.example.com/')
  const args = { currentUrl: url, nextUrl: url, defaultShouldRevalidate: true } as Parameters<ShouldRevalidateFunction>[0]
  const shown: Record<string, string[]> = {}
  for (const { path = '/', file } of publicPages) {
    const page = (await import(resolve('src', file))) as { shouldRevalidate?: ShouldRevalidateFunction }
    const areas: string[] = []
    for (const area of liveAreas) {
      await revalidateArea(area, async () => void (page.shouldRevalidate?.(args) !== false && areas.push(area)))
    }
    if (areas.length > 0) shown[path] = areas
  }
  expect(publicPages.length).toBeGreaterThan(20)
  expect(shown).toMatchObject({
    '/': ['home'],
    reseau: ['networks', 'notes', 'updates'],
    about: ['company'],
    contact: ['company'],
    support: ['company'],
    'about/personal_information': ['company'],
    'telecom/phone_tutorial': ['company'],
    team: ['employees'],
    'team/employe/:id_employe': ['employees'],
    emploi: ['jobs'],
    'emploi/voir/:id_emploi': ['jobs'],
  })
}, 30_000)
