// `npm run new-feature -- partners`: creates a working content feature from the files in `scripts/new-feature/`, with its
// migration and its lines in the three lists. A plural without s is followed by its singular: `-- alumni alumnus`.
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { features } from '../src/app/features.ts'
import { areasOf } from '../src/lib/feature.ts'
import routes from '../src/routes.ts'

const template = 'scripts/new-feature'
const usage = 'Usage: npm run new-feature -- NAME. The name is an English plural in lowercase letters, such as partners.'
const reserved =
  'arguments async await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null of package private protected public return static super switch this throw true try typeof var void while with yield'

/** An invalid name; the message says what to do. */
export class InvalidName extends Error {}

type Name = { plural: string; singular: string }

if (import.meta.main) run(process.argv.slice(2))

function run(words: string[]) {
  try {
    const name = readName(words)
    writeFeature(name)
    process.stdout.write(explain(name))
  } catch (error) {
    process.stderr.write(
      `${error instanceof InvalidName ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    )
    process.exitCode = 1
  }
}

/**
 * Singular and plural of the name. Throws `InvalidName` for one that cannot be an identifier, an address and a table, or is
 * taken.
 */
export function readName([plural = '', given, ...rest]: string[]): Name {
  if (plural === '' || rest.length > 0) throw new InvalidName(usage)
  for (const word of [plural, given ?? plural])
    if (!/^[a-z]{3,30}$/.test(word))
      throw new InvalidName(
        `“${word}” cannot be a name: use 3 to 30 letters from a to z, in lowercase, without accent, space or hyphen, such as partners.`,
      )
  const singular = given ?? singularOf(plural)
  if (!singular || singular === plural)
    throw new InvalidName(
      `The singular of “${plural}” is not known: use an English plural, such as partners, or type the singular after it: npm run new-feature -- alumni alumnus`,
    )
  const taken = takenNames().get(plural)
  if (taken) throw new InvalidName(`“${plural}” is taken: ${taken} has this name. Choose another one.`)
  const used = usedWords()
  const clash = [plural, singular, capital(plural), capital(singular)].find((word) => used.has(word) || word in globalThis)
  if (clash)
    throw new InvalidName(`“${plural}” cannot be a name: “${clash}” has a meaning in the code already. Choose another one.`)
  return { plural, singular }
}

function singularOf(plural: string) {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y')
  if (/(ch|sh|ss|x|zz)es$/.test(plural)) return plural.slice(0, -2)
  return /[^su]s$/.test(plural) ? plural.slice(0, -1) : undefined
}

/** Names in use, with what uses them. */
function takenNames() {
  const taken = new Map<string, string>()
  const add = (names: readonly string[], what: string) => names.forEach((name) => taken.has(name) || taken.set(name, what))
  add(
    globSync('src/features/*').map((folder) => relative('src/features', folder)),
    'a feature',
  )
  add(areasOf(features), 'an area of rights')
  const served = ['/assets', '/media', '/metrics', '/health', '/api/translations', '/api/backup', '/api/live']
  add(
    [...addressesUnder(routes), ...served, ...findIn('src/features/*/server/feature.ts', /'(\/[^']+)':/g)].flatMap(firstWords),
    'an address',
  )
  add(findIn('src/{features,server}/**/*table.ts', /pgTable\(\s*'(\w+)'/g), 'a table of the database')
  return taken
}

/** Matches of a pattern in some files. */
function findIn(files: string, pattern: RegExp) {
  return globSync(files).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, found = '']) => found))
}

function addressesUnder(entries: RouteConfigEntry[], parent = ''): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const address = path === undefined ? parent : `${parent}/${path}`
    return [address, ...addressesUnder(children, address)]
  })
}

/** The word after `/`, `/admin/` or `/api/`. */
function firstWords(address: string) {
  const [first = '', second = ''] = address.split('/').slice(1)
  return ['admin', 'api', 'public_api'].includes(first) ? [first, second] : [first]
}

/** Identifiers of the new files, and reserved words. */
function usedWords() {
  const texts = globSync(`${template}/**/*.{ts,tsx}`).map((file) => readFileSync(file, 'utf8'))
  return new Set([...reserved.split(' '), ...texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? [])])
}

function capital(word: string) {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function renamed(text: string, { plural, singular }: Name) {
  return text
    .replaceAll('gadgets', plural)
    .replaceAll('Gadgets', capital(plural))
    .replaceAll('gadget', singular)
    .replaceAll('Gadget', capital(singular))
}

/** Writes all files or none. */
function writeFeature(name: Name) {
  const folder = `src/features/${name.plural}`
  const files = new Map(
    globSync(`${template}/**/*.{ts,tsx}`).map((file) => [
      join(folder, renamed(relative(template, file), name)),
      renamed(readFileSync(file, 'utf8'), name),
    ]),
  )
  const { plural } = name
  const lists = [
    ['src/app/features.ts', plural, `#src/features/${plural}/feature.ts`],
    ['src/app/server-features.ts', `${plural}Server`, `#src/features/${plural}/server/feature.ts`],
    ['src/routes.ts', `${plural}Pages`, `./features/${plural}/pages.ts`],
  ] as const
  const changed = new Map(lists.map(([file, value, from]) => [file, withFeature(file, value, from)]))
  const edited = [...changed.keys(), 'migrations/meta/_journal.json']
  const before = new Map(edited.map((file) => [file, readFileSync(file, 'utf8')]))
  const migrations = new Set(globSync('migrations/**/*.{sql,json}'))
  try {
    for (const [file, text] of [...files, ...changed]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const output = runTool('drizzle-kit', ['generate', '--name', plural])
    // drizzle-kit exits with 0 even where it could not write.
    if (!globSync('migrations/*.sql').some((file) => !migrations.has(file)))
      throw new Error(`drizzle-kit wrote no migration; nothing was written.\n${output}`)
    runTool('oxfmt', [folder, ...changed.keys()])
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    for (const file of globSync('migrations/**/*.{sql,json}')) if (!migrations.has(file)) rmSync(file)
    for (const [file, text] of before) writeFileSync(file, text)
    throw error
  }
}

/** Adds a feature to a list: its import in alphabetical order, its entry at the end. */
function withFeature(file: string, value: string, from: string) {
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  const isImport = (line: string) => line.startsWith('import {') && line.includes('/features/')
  const after = lines.findLastIndex((line) => isImport(line) && line < `import { ${value} }`)
  const end = lines.indexOf(']')
  const first = lines.findIndex(isImport)
  if (end === -1 || first === -1)
    throw new Error(`${file} has no list of features any more: change withFeature in scripts/new-feature.ts.`)
  const place = after === -1 ? first : after + 1
  return [
    ...lines.slice(0, place),
    `import { ${value} } from '${from}'`,
    ...lines.slice(place, end),
    `  ${value},`,
    ...lines.slice(end),
  ].join('\n')
}

function runTool(tool: string, words: string[]) {
  const { bin } = JSON.parse(readFileSync(`node_modules/${tool}/package.json`, 'utf8')) as { bin: Record<string, string> }
  const script = join('node_modules', tool, bin[tool] ?? '')
  const done = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
  const output = `${done.stdout}\n${done.stderr}`
  if (done.status !== 0) throw new Error(`${tool} failed; nothing was written.\n${output}`)
  return output
}

function explain({ plural, singular }: Name) {
  const folder = `src/features/${plural}`
  const migration = globSync('migrations/*.sql').toSorted().at(-1)
  return `
Wrote ${folder}/, ${migration}, and its place in src/app/features.ts, src/app/server-features.ts and src/routes.ts.

Next:
  1. Its words: “${capital(plural)}” stands in both languages in feature.ts, texts.ts and admin-texts.ts.
  2. Its fields: contract.ts, server/table.ts, server/service.ts, web/${singular}-form.tsx and web/${singular}-card.tsx,
     then npx drizzle-kit generate --name ${plural}_fields
  3. npm run check
  4. npm run dev, and look at /${plural} and /admin/${plural} at 390 and 1440 px, in both languages.
`
}
