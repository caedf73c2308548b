import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, test } from 'vitest'
import type { EntryKind, Feature } from '#src/lib/feature.ts'
import { areasOf, menuGroups, needsOf } from '#src/lib/feature.ts'
import { languages } from '#src/lib/language/language.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import type { Level } from '#src/lib/rights.ts'
import { levels } from '#src/lib/rights.ts'
import routes from '#src/routes.ts'
import { features } from './features.ts'
import { serverFeatures } from './server-features.ts'

const areas = areasOf(features)
const entries = features.flatMap(({ entries = [] }) => entries)
const nameOf = ({ area, kind }: { area: string; kind?: string | undefined }) => (kind ? `${area} ${kind}` : area)

/** Every page address, such as `/admin/note_edit/:id_note`. */
const addressesUnder = (entries: RouteConfigEntry[], parent = ''): string[] =>
  entries.flatMap(({ path, index, children }) => {
    const address = path === undefined ? parent : `${parent}/${path}`
    return children ? addressesUnder(children, address) : index || path !== undefined ? [address || '/'] : []
  })
const filesUnder = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children = [] }) => [file, ...filesUnder(children)])

async function exportsOf(file: string) {
  return Object.values((await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>)
}

test('each feature folder is in the three lists: declaration, server and pages', async () => {
  const folders = globSync('src/features/*/feature.ts')
  expect(folders.length).toBeGreaterThan(10)
  for (const file of folders) expect(features, file).toContain((await exportsOf(file))[0])
  expect(folders).toHaveLength(features.length)
  for (const file of globSync('src/features/*/server/feature.ts').filter((file) => !file.includes('/content/')))
    expect(serverFeatures, file).toContain((await exportsOf(file))[0])
  expect(serverFeatures.map(({ feature }) => feature).toSorted(byPlace)).toEqual(features)
  const files = filesUnder(routes)
  for (const file of globSync('src/features/*/pages.ts')) {
    const pages = (await exportsOf(file)).flatMap((one) => Object.values(one as Record<string, RouteConfigEntry[]>).flat())
    expect(files, file).toEqual(expect.arrayContaining(filesUnder(pages)))
  }
})

const byPlace = (one: Feature, other: Feature) => features.indexOf(one) - features.indexOf(other)

test('every label exists in each language', () => {
  const labels: Record<string, string>[] = []
  const collect = (value: unknown) => {
    if (value === null || typeof value !== 'object') return
    if (languages.some((language) => language in value)) labels.push(value as Record<string, string>)
    else for (const one of Object.values(value)) collect(one)
  }
  collect(features)
  expect(labels.length).toBeGreaterThan(80)
  expect(labels.filter((label) => languages.some((language) => !label[language]?.trim()))).toEqual([])
  expect(labels.flatMap(({ fr = '' }) => (setTypography(fr, 'fr') === fr ? [] : [fr]))).toEqual([])
})

test('an area, a kind of entry and an address are declared once', () => {
  const prefixes = serverFeatures.flatMap(({ api = {} }) => Object.keys(api))
  const auditAreas = features.flatMap(({ auditAreas = {} }) => Object.keys(auditAreas))
  for (const names of [[...areas, ...auditAreas], entries.map(nameOf), prefixes, addressesUnder(routes)])
    expect(new Set(names).size).toBe(names.length)
})

test('menu and live areas name what exists', () => {
  const addresses = new Set(addressesUnder(routes))
  const pages = features.flatMap(({ admin = [] }) => admin)
  for (const { path, group } of pages) {
    expect(menuGroups).toContain(group)
    expect([...addresses], path).toContain(path)
  }
  const live = features.flatMap(({ liveAreas = [] }) => liveAreas)
  expect(areas).toEqual(expect.arrayContaining([...live, ...pages.flatMap(({ area, or }) => [area, or ?? area])]))
  const patterns = [...addresses].map((address) => address.replace(/:\w+$/, ':id'))
  expect(patterns).toEqual(expect.arrayContaining(entries.flatMap(({ path }) => path ?? [])))
})

test('exactly the declared content is defined on the server', () => {
  const declared = entries.filter(({ isContent }) => isContent).map(nameOf)
  const defined = serverFeatures.flatMap(({ content = [] }) => content).map(nameOf)
  expect(declared.length).toBeGreaterThan(6)
  expect(defined.toSorted()).toEqual(declared.toSorted())
})

test('the page of an entry needs what the menu asks for it, or more, in an area that groups can be given', () => {
  const rankOf = (level: Level = 'read_only') => levels.indexOf(level)
  const pages = features.flatMap(({ admin = [] }) => admin)
  const linked = entries.filter(({ path }) => path)
  expect(linked.filter((entry) => !areas.includes(needsOf(entry).area)).map(nameOf)).toEqual([])
  const isTooOpen = (entry: EntryKind) => {
    const page = pages.find(({ path }) => path === entry.path)
    return page && rankOf(needsOf(entry).level) < rankOf(page.level)
  }
  expect(linked.filter(isTooOpen).map(nameOf)).toEqual([])
})
