import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, test } from 'vitest'
import type { EntryKind, Feature } from '#src/lib/feature.ts'
import { areasOf, groupPresets, menuGroups, needsOf, rightsOfPreset } from '#src/lib/feature.ts'
import { languages } from '#src/lib/language/language.ts'
import { fieldTexts } from '#src/features/content/versions/texts.ts'
import { setTypography } from '#src/lib/language/texts.ts'
import type { Level } from '#src/lib/rights.ts'
import { coversRights, hasRight, levels } from '#src/lib/rights.ts'
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

test('each preset of a group gives rights of existing areas, and none that would let its members grant rights', () => {
  for (const preset of groupPresets) {
    const rights = rightsOfPreset(features, preset)
    expect(areas, preset).toEqual(expect.arrayContaining(Object.keys(rights)))
    expect(Object.keys(rights).length, preset).toBeGreaterThan(4)
    expect(hasRight(rights, 'users', 'read_write') || hasRight(rights, 'groups', 'read_only'), preset).toBe(false)
  }
  const [technician, , supervisor] = groupPresets.map((preset) => rightsOfPreset(features, preset))
  expect(coversRights(supervisor ?? {}, technician ?? {})).toBe(true)
})

test('every field of content, and each of its values that is a code, has its words in the audit log', () => {
  const fields = Object.assign({}, fieldTexts.fr, ...features.map(({ audit }) => audit?.fields)) as object
  const values = Object.assign({}, ...features.map(({ audit }) => audit?.values)) as Record<string, object>
  const contents = serverFeatures.flatMap(({ content = [] }) => content)
  // The name of a long text is the address of its page.
  const silent = new Set(['version', 'english_reviewed', 'new_photo', 'new_photo_path', 'name'])
  const known = contents.flatMap(({ area, input }) =>
    Object.entries(input.shape)
      .filter(([field]) => !silent.has(field))
      .map(([field, schema]) => ({ area, field, codes: codesOf(schema) })),
  )
  expect(known.some(({ codes }) => codes.includes('FULL_TIME'))).toBe(true)
  expect(known.filter(({ field }) => !(field in fields))).toEqual([])
  expect(known.filter(({ field, codes }) => codes.some((code) => code !== '' && !(code in (values[field] ?? {}))))).toEqual([])
})

/** The values of a schema that is a choice, also an optional one. */
function codesOf(schema: unknown): string[] {
  const { options, def } = schema as { options?: unknown[]; def: { innerType?: unknown } }
  if (def.innerType) return codesOf(def.innerType)
  return (options ?? []).filter((one) => typeof one === 'string')
}
