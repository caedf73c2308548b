import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

type Route = {
  id: string
  parentId?: string
  path?: string
  module: string
  imports?: string[]
  css?: string[]
  clientLoaderModule?: string
  clientActionModule?: string
  hydrateFallbackModule?: string
}
type Manifest = { entry: { module: string; imports: string[] }; routes: Record<string, Route> }

const client = 'build/site/client'
const budget = { script: 115_000, style: 12_000, font: 60_000, launcher: 3_000, chat: 30_000, reading: 40_000 }
/** Modules that public pages must not load before they are needed. */
const forbidden = /tiptap|prosemirror|leaflet|socket\.io|admin-|zod/i

const sizes = new Map<string, number>()
const manifest = readManifest()
const failures: string[] = []
let publicPages = 0
let heaviest = { id: '', script: 0, style: 0 }

for (const route of Object.values(manifest.routes)) {
  const chain = chainOf(route)
  // The public layout is the one without a path.
  if (chain.length < 3 || chain.at(-2)?.path !== undefined) continue
  publicPages += 1
  const scripts = new Set([manifest.entry.module, ...manifest.entry.imports])
  const styles = new Set<string>()
  for (const one of chain) {
    for (const file of [
      one.module,
      one.clientLoaderModule,
      one.clientActionModule,
      one.hydrateFallbackModule,
      ...(one.imports ?? []),
    ]) {
      if (file) scripts.add(file)
    }
    // The router appends # to a repeated style sheet.
    for (const file of one.css ?? []) styles.add(file.replace(/#$/, ''))
  }
  const script = total(scripts)
  const style = total(styles)
  if (script > heaviest.script) heaviest = { id: route.id, script, style }
  if (script > budget.script) failures.push(`${route.id}: ${script} bytes of script, ${budget.script} at most`)
  if (style > budget.style) failures.push(`${route.id}: ${style} bytes of style, ${budget.style} at most`)
  if (styles.size > 1) failures.push(`${route.id}: ${styles.size} style sheets, one at most: another is another connection`)
  // Compared without the content hash, which could contain any word.
  for (const file of scripts) if (forbidden.test(file.replace(/-[\w-]{8}\.js$/, ''))) failures.push(`${route.id} loads ${file}`)
}

if (publicPages === 0) failures.push('no public page was found, so none was measured')

const fonts = globSync(`${client}/assets/*.woff2`).reduce((sum, file) => sum + readFileSync(file).length, 0)
if (fonts > budget.font) failures.push(`${fonts} bytes of fonts, ${budget.font} at most`)

console.log(
  `First load, brotli: at most ${heaviest.script} bytes of script (${heaviest.id}), ${heaviest.style} of style, ${fonts} of fonts`,
)
// Before it is used, the status page loads its style sheet, one font and the live stream; its HTML comes on top.
const reading = sizeOfReading()
if (reading > budget.reading)
  failures.push(`a page that is only read: ${reading} bytes beside its HTML, ${budget.reading} at most`)
console.log(`A page that is only read, brotli: ${reading} bytes beside its HTML`)
const launcher = await sizeOfLauncher()
if (launcher > budget.launcher) failures.push(`the chat's launcher: ${launcher} bytes, ${budget.launcher} at most`)
const chat = sizeOfChat()
if (chat > budget.chat) failures.push(`the opened chat: ${chat} bytes, ${budget.chat} at most`)
console.log(`Chat, brotli: ${launcher} bytes for its launcher, ${chat} more once it is opened`)

if (failures.length > 0) {
  console.error(`Over budget (docs/quality.md):\n${failures.join('\n')}`)
  process.exit(1)
}

/** The launcher alone; in the built site it shares a file with the rest of the page. */
async function sizeOfLauncher() {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: 'src/features/chat/widget/launcher.tsx', formats: ['es'] },
      rolldownOptions: { external: (id) => /^react|^#src\/(ui|lib)|panel\.tsx$/.test(id) },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  const code = outputs.flatMap((one) => ('output' in one ? one.output : [])).map((one) => ('code' in one ? one.code : ''))
  return brotliCompressSync(code.join('')).length
}

function sizeOfReading() {
  const live = globSync(`${client}/assets/live-stream-*.js`).filter((file) => /live-stream-[\w-]{8}\.js$/.test(file))
  const font = globSync(`${client}/assets/atkinson-french-english-*.woff2`)
  // The server finds the stream by its name, and pages would load all their scripts without it.
  if (live.length !== 1 || font.length !== 1) throw new Error(`${live.length} live streams and ${font.length} first fonts`)
  if (/^import|from"/.test(readFileSync(live[0] ?? '', 'utf8'))) throw new Error('the live stream imports other files')
  return heaviest.style + readFileSync(font[0] ?? '').length + brotliCompressSync(readFileSync(live[0] ?? '')).length
}

/** Size of the opened chat: panel, style, socket and their dependencies, without what every page has. */
function sizeOfChat() {
  const panel = globSync(`${client}/assets/panel-*.js`).find((file) => /panel-[\w-]{8}\.js$/.test(file)) ?? ''
  const known = [manifest.entry.module, ...manifest.entry.imports, ...globSync(`${client}/assets/{shell,vendor}-*.js`)]
  const visited = new Set(known.map((file) => basename(file)))
  const wanted = [basename(panel)]
  let size = globSync(`${client}/assets/panel-*.css`).reduce(
    (sum, file) => sum + brotliCompressSync(readFileSync(file)).length,
    0,
  )
  for (let name = wanted.pop(); name; name = wanted.pop()) {
    if (visited.has(name)) continue
    visited.add(name)
    const file = join(client, 'assets', name)
    size += brotliCompressSync(readFileSync(file)).length
    for (const [, found] of readFileSync(file, 'utf8').matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      if (found) wanted.push(found)
  }
  return size
}

function readManifest(): Manifest {
  const [file] = globSync(`${client}/assets/manifest-*.js`)
  if (!file) throw new Error('there is no manifest of the built site')
  return JSON.parse(
    readFileSync(file, 'utf8')
      .replace(/^[^{]*/, '')
      .replace(/;\s*$/, ''),
  ) as Manifest
}

function chainOf(route: Route): Route[] {
  const parent = route.parentId === undefined ? undefined : manifest.routes[route.parentId]
  return parent ? [route, ...chainOf(parent)] : [route]
}

function total(files: Iterable<string>) {
  let sum = 0
  for (const file of files) sum += sizeOf(file)
  return sum
}

function sizeOf(file: string) {
  const known = sizes.get(file)
  if (known !== undefined) return known
  const size = brotliCompressSync(readFileSync(join(client, file))).length
  sizes.set(file, size)
  return size
}
