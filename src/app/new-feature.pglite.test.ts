import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as addresses from '../../scripts/page-addresses.ts'
import { InvalidName, readName } from '../../scripts/new-feature.ts'
import type * as feature from '#src/lib/feature.ts'
import type * as menu from './admin-shell/admin-menu.ts'
import type * as declared from './features.ts'
import { createTestClient } from './testing/test-client.ts'

const lists = ['src/app/features.ts', 'src/app/server-features.ts', 'src/routes.ts']
const password = 'Lampe-Allumee-2026!'
const notCopied = new Set([
  'node_modules',
  'build',
  'data',
  '.git',
  '.react-router',
  'screenshots',
  'test-results',
  'playwright-report',
])
const folder = mkdtempSync(join(tmpdir(), 'guichet-new-feature-'))
const copy = join(folder, 'copy')
const bin = resolve('node_modules/.bin')

/** A fresh clone of the repository with the installed packages of this one. */
function copyRepository() {
  cpSync(process.cwd(), copy, { recursive: true, filter: (file) => !notCopied.has(relative(process.cwd(), file)) })
  // Its own folder, so that tools do not share caches with this one.
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.vite')) symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name))
}

function hashFiles() {
  const files = globSync('**', { cwd: copy, exclude: (name) => notCopied.has(name) }).filter((file) =>
    statSync(join(copy, file)).isFile(),
  )
  return new Map(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(copy, file)))
        .digest('hex'),
    ]),
  )
}

/** Runs a program in the copy; returns its exit code and output. */
async function runIn(program: string, parameters: string[]) {
  const child = spawn(program, parameters, {
    cwd: copy,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done))
  return { code, output }
}

/** Starts the copy as `npm run dev` does, on a persistent data folder. */
async function startCopy() {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: copy,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      ADMIN_PASSWORD: password,
      DEMO: '1',
      LOG_LEVEL: 'warn',
    },
  })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const origin = await new Promise<string>((found, fail) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const [, address] = /Guichet is running at (http:\S+)/.exec(output) ?? []
        if (address) found(address)
      })
    }
    child.once('close', (code) => fail(new Error(`the product stopped (${code}):\n${output}`)))
  })
  return {
    origin,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** A module of the copy, with the type of ours. */
const load = async <Module>(file: string) => (await import(/* @vite-ignore */ pathToFileURL(join(copy, file)).href)) as Module

let product: Awaited<ReturnType<typeof startCopy>>
let client: Awaited<ReturnType<ReturnType<typeof createTestClient>['arrive']>>
let written: { code: number | null; output: string }
let before: Map<string, string>
let after: Map<string, string>

beforeAll(async () => {
  copyRepository()
  // A database created before the feature, to which its migration and rights must apply.
  await (await startCopy()).stop()
  before = hashFiles()
  written = await runIn(process.execPath, ['scripts/new-feature.ts', 'partners'])
  after = hashFiles()
  product = await startCopy()
  client = await createTestClient(product.origin).arrive()
  await client.post('/api/auth/login', { username: 'admin', password })
}, 480_000)

afterAll(async () => {
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run new-feature -- partners', () => {
  test('writes a folder and a migration, and edits three files by two lines each', () => {
    expect(written).toMatchObject({ code: 0, output: expect.stringContaining('npm run check') })
    const added = [...after.keys()].filter((file) => !before.has(file))
    const edited = [...before].filter(([file, hash]) => after.get(file) !== hash).map(([file]) => file)
    const migrations = added.filter((file) => !file.startsWith('src/features/partners/'))
    expect(migrations.toSorted()).toEqual([
      expect.stringMatching(/^migrations\/\d{4}_partners\.sql$/),
      expect.stringMatching(/^migrations\/meta\/\d{4}_snapshot\.json$/),
    ])
    const statements = readFileSync(join(copy, migrations.find((file) => file.endsWith('.sql')) ?? ''), 'utf8')
    expect(statements.match(/^\w+ \w+ "\w+"/gm)).toEqual(['CREATE TABLE "partners"'])
    expect(added.length - migrations.length).toBeGreaterThan(12)
    expect(edited.toSorted()).toEqual(['migrations/meta/_journal.json', ...lists])
    for (const file of lists) {
      const old = readFileSync(file, 'utf8').split('\n')
      const now = readFileSync(join(copy, file), 'utf8').split('\n')
      expect(now.filter((line) => !/partners/.test(line))).toEqual(old)
      expect(now).toHaveLength(old.length + 2)
    }
  })

  test('leaves types, lint, format, import rules and unused code clean', async () => {
    const own = ['src/features/partners', ...lists]
    const typegen = await runIn(join(bin, 'react-router'), ['typegen'])
    expect(typegen.code, typegen.output).toBe(0)
    const checks = await Promise.all([
      runIn(join(bin, 'tsc'), ['--noEmit']),
      runIn(join(bin, 'oxlint'), ['--type-aware', ...own]),
      runIn(join(bin, 'oxfmt'), ['--check', ...own]),
      runIn(join(bin, 'depcruise'), ['src', 'company', '--config', '.dependency-cruiser.cjs']),
      runIn(join(bin, 'knip'), []),
    ])
    for (const { code, output } of checks) expect(code, output).toBe(0)
  }, 240_000)

  test('has its own passing tests, and needs no change in other tests', async () => {
    const { code, output } = await runIn(join(bin, 'vitest'), [
      'run',
      ...['--project', 'unit', '--project', 'api-pglite'],
      ...['src/features/partners', 'src/features/audit/action-texts'],
      ...[
        'src/app/features.test',
        'src/app/texts-parity',
        'src/app/discovery',
        'src/app/public-shell',
        'src/app/admin-addresses',
      ],
    ])
    expect(code, output).toBe(0)
    expect(output).toContain('partners.api.test.ts')
  }, 240_000)

  test('has its entry in the menu, its button on the panel and its row in the rights matrix', async () => {
    const { menuFor } = await load<typeof menu>('src/app/admin-shell/admin-menu.ts')
    const pages = menuFor({ partners: 'read_only' } as object).flatMap((section) => section.pages)
    expect(pages).toEqual([expect.objectContaining({ path: '/admin/partners', label: { fr: 'Partners', en: 'Partners' } })])
    const { features } = await load<typeof declared>('src/app/features.ts')
    const { areaLabel, areasOf } = await load<typeof feature>('src/lib/feature.ts')
    expect(areasOf(features)).toContain('partners')
    expect(areaLabel(features, 'partners')).toEqual({ fr: 'Partners', en: 'Partners' })
  })

  test('has names in the audit log, and a place among the screenshots', async () => {
    const { features } = await load<typeof declared>('src/app/features.ts')
    const { findEntryKind, pathOfEntry } = await load<typeof feature>('src/lib/feature.ts')
    expect(pathOfEntry(findEntryKind(features, 'partners', '7'), 7, { partners: 'read_write' } as object)).toBe(
      '/admin/partners/7',
    )
    const { adminAddresses, findList, publicPages } = await load<typeof addresses>('scripts/page-addresses.ts')
    expect(publicPages()).toContain('/partners')
    expect(adminAddresses()).toEqual(
      expect.arrayContaining(['/admin/partners', '/admin/partners/new', '/admin/partners/:id_partner']),
    )
    expect(findList(':id_partner', '/admin/partners/:id_partner')).toBe('/api/partners')
  })

  test('is accessible in an existing database to administrators of groups only', async () => {
    const { body: groups } = await client.get<{ rights: Record<string, string> }[]>('/api/groups/groups')
    expect(groups.map(({ rights }) => rights.partners)).toContain('administrator')
    const visitor = await createTestClient(product.origin).arrive()
    expect((await visitor.post('/api/partners', { name: 'Non' })).status).toBe(401)
    expect((await visitor.get('/api/partners')).status).toBe(200)
  })

  test('shows an entry to visitors in both languages, updates open pages, and is in the sitemap', async () => {
    const leaving = new AbortController()
    const stream = await fetch(`${product.origin}/api/live`, { headers: { origin: product.origin }, signal: leaving.signal })
    const live = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    const created = await client.post<Entry>('/api/partners', { name: 'Câblage Nord', description: 'Depuis 1998.' })
    expect(created.status).toBe(201)
    let received = ''
    while (!received.includes('partners')) {
      const { value, done } = (await live?.read()) ?? { done: true, value: undefined }
      if (done) break
      received += value
    }
    leaving.abort()
    expect(received).toContain('partners')
    const { body: waiting } = await client.get<{ kind: string; id: number; missing: boolean }[]>('/api/translations')
    expect(waiting).toContainEqual(expect.objectContaining({ kind: 'partners', id: created.body.id_partner, missing: true }))
    await client.put(`/api/partners/${created.body.id_partner}`, {
      ...{ name: 'Câblage Nord', name_en: 'North Cabling', description: 'Depuis 1998.', description_en: 'Since 1998.' },
      version: 1,
    })
    const french = await client.get('/partners')
    expect(french.status).toBe(200)
    expect(french.text).toMatch(/<html[^>]* lang="fr-CA"/)
    expect(french.text).toContain('Câblage Nord')
    const english = await client.get('/partners?lang=en')
    expect(english.text).toMatch(/<html[^>]* lang="en-[A-Z]{2}"/)
    expect(english.text).toContain('North Cabling')
    expect((await client.get('/admin/partners')).status).toBe(200)
    const { text: map } = await client.get('/sitemap.xml')
    expect(map).toContain(`<loc>${product.origin}/partners</loc>`)
    expect(map).toContain('/partners?lang=en</loc>')
  })

  test('restores a deleted entry from the audit log', async () => {
    const { body: entry } = await client.post<Entry>('/api/partners', { name: 'À garder' })
    expect((await client.delete(`/api/partners/${entry.id_partner}`)).status).toBe(204)
    const [deleted] = (
      await client.get<{ id_entry: number; restorable: boolean }[]>('/api/audit/entries?area=partners&action=delete')
    ).body
    expect(deleted?.restorable).toBe(true)
    expect((await client.post(`/api/audit/entries/${deleted?.id_entry}/restore`)).status).toBe(204)
    expect((await client.get<Entry>(`/api/partners/${entry.id_partner}`)).body).toMatchObject({ name: 'À garder', version: 2 })
  })
})

test('writes nothing where it cannot write everything', async () => {
  const journal = join(copy, 'migrations/meta/_journal.json')
  const whole = readFileSync(journal)
  writeFileSync(journal, 'no journal')
  const untouched = hashFiles()
  const { code, output } = await runIn(process.execPath, ['scripts/new-feature.ts', 'suppliers'])
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('nothing was written') })
  expect(hashFiles()).toEqual(untouched)
  writeFileSync(journal, whole)
}, 120_000)

type Entry = { id_partner: number; name: string; version: number }

describe('an invalid name', () => {
  test.each([
    ['nothing at all', [], /^Usage/],
    ['an accent', ['événements'], /letters from a to z/],
    ['a space', ['our partners'], /letters from a to z/],
    ['a capital', ['Partners'], /letters from a to z/],
    ['a hyphen', ['press-releases'], /letters from a to z/],
    ['a path', ['../partners'], /letters from a to z/],
    ['a singular', ['staff'], /type the singular after it/],
    ['a feature', ['jobs'], /taken: a feature/],
    ['an area of rights', ['users'], /taken: an area of rights/],
    ['an address of the site', ['contact', 'one'], /taken: an address/],
    ['an address of the API', ['translations'], /taken: an address/],
    ['a table', ['pictures'], /taken: a table/],
    ['a word of the language', ['classes'], /“class” has a meaning/],
    ['a word of the code', ['forms'], /has a meaning/],
    ['a type of JavaScript', ['promises'], /“Promise” has a meaning/],
  ])('is rejected with a message: %s', (_what, parameters, message) => {
    expect(() => readName(parameters)).toThrow(InvalidName)
    expect(() => readName(parameters)).toThrow(message)
  })

  test('derives the singular from the plural, or takes the typed one', () => {
    const singulars = [['partners'], ['galleries'], ['branches'], ['alumni', 'alumnus']].map(
      (parameters) => readName(parameters).singular,
    )
    expect(singulars).toEqual(['partner', 'gallery', 'branch', 'alumnus'])
  })
})
