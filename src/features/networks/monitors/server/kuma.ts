import { execFile } from 'node:child_process'
import { open, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { ImportSource, LeftOut, SourceEntry } from '#src/features/content/server/importing.ts'
import { cut, Refused, UnusableSource } from '#src/features/content/server/importing.ts'
import type { Label } from '#src/lib/feature.ts'
import { limits } from '#src/lib/schemas.ts'

/** What the reading process gives: rows as they are in the file, or null where it is no file of Uptime Kuma. */
export type KumaFile = { monitors: unknown[] }

export const kumaMonitorsMax = 5_000
/** `kuma.db` holds the results of months too, but only its monitors are read. */
const fileMaxBytes = { database: 2 * 1024 ** 3, backup: 50 * 1024 ** 2 }
const readMs = 20_000
const outputMaxBytes = 50 * 1024 ** 2

export const isSqlite = (head: Uint8Array) => Buffer.from(head.subarray(0, 15)).toString('latin1') === 'SQLite format 3'
const looksLikeBackup = (head: string) => /^\s*\{\s*"(?:version|notificationList|monitorList|proxyList)"\s*:/.test(head)

const unusable = {
  fr: 'Ce fichier d’Uptime Kuma ne peut pas être lu. Arrêtez Uptime Kuma, puis copiez kuma.db de nouveau.',
  en: 'This Uptime Kuma file cannot be read. Stop Uptime Kuma, then copy kuma.db again.',
}
const tooMany = {
  fr: `Ce fichier a plus de ${kumaMonitorsMax} sondes.`,
  en: `This file has more than ${kumaMonitorsMax} monitors.`,
}

const text = z.string().nullish()
const number = z.coerce.number().nullish()
const flag = z.coerce.boolean().nullish()
const kumaMonitor = z.object({
  id: z.coerce.number().int(),
  name: z.string(),
  type: z.string(),
  interval: number,
  timeout: number,
  url: text,
  hostname: text,
  port: number,
  keyword: text,
  invert_keyword: flag,
  invertKeyword: flag,
  maxretries: number,
  upside_down: flag,
  upsideDown: flag,
  accepted_statuscodes: z.array(z.string()).nullish(),
  accepted_statuscodes_json: text,
  dns_resolve_type: text,
  parent: number,
})
type KumaMonitor = z.infer<typeof kumaMonitor>

/** The monitors of a file of Uptime Kuma; null where it is something else. */
export async function openKuma(source: ImportSource): Promise<AsyncIterable<SourceEntry | LeftOut> | null> {
  const head = await readStart(source.path)
  const isDatabase = isSqlite(head)
  if (!isDatabase && !looksLikeBackup(head.toString('utf8').replace(/^\uFEFF/, ''))) return null
  return readKuma(source.path, isDatabase ? fileMaxBytes.database : fileMaxBytes.backup)
}

async function readStart(path: string) {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_000), 0, 1_000, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* readKuma(path: string, mostBytes: number): AsyncGenerator<SourceEntry | LeftOut> {
  if ((await stat(path)).size > mostBytes) throw new UnusableSource(unusable)
  const found = await readApart(path)
  if (found === null) throw new UnusableSource(unusable)
  if (found.monitors.length > kumaMonitorsMax) throw new UnusableSource(tooMany)
  const read = found.monitors.map((one) => kumaMonitor.safeParse(one))
  const monitors = read.flatMap(({ data }) => data ?? [])
  const groups = new Map(monitors.flatMap((one) => (one.type === 'group' ? [[one.id, one] as const] : [])))
  for (const [index, { data }] of read.entries()) {
    if (data?.type === 'group') yield { leftOut: 'groups' }
    else yield toEntry(data, groups, index + 1)
  }
}

/** A monitor of a hostile file can hold its reader up: the process is killed. */
async function readApart(path: string): Promise<KumaFile | null> {
  const file = import.meta.url.endsWith('.ts') ? './kuma-worker.ts' : './kuma-worker.js'
  const words = ['--max-old-space-size=300', '--no-warnings', fileURLToPath(new URL(file, import.meta.url)), path]
  const options = { env: {}, timeout: readMs, killSignal: 'SIGKILL', maxBuffer: outputMaxBytes } as const
  const { stdout } = await promisify(execFile)(process.execPath, words, options).catch((cause: unknown) => {
    throw new UnusableSource(unusable, { cause })
  })
  return JSON.parse(stdout) as KumaFile | null
}

function toEntry(monitor: KumaMonitor | undefined, groups: ReadonlyMap<number, KumaMonitor>, at: number): SourceEntry {
  const where = { at: String(at), id: `monitor ${monitor?.id ?? at}`, name: cut(monitor?.name ?? '', limits.name) }
  if (!monitor) return { ...where, values: null, refused: reasons.broken }
  const { type, url, hostname, port } = monitor
  const shown = [
    { label: 'type', text: type },
    { label: 'name', text: monitor.name },
    { label: 'url', text: url ?? '' },
    { label: 'hostname', text: [hostname, port].filter(Boolean).join(':') },
  ].filter((field) => field.text !== '')
  try {
    return { ...where, shown, values: toValues(monitor, groups) }
  } catch (error) {
    if (error instanceof Refused) return { ...where, shown, values: null, refused: error.reason }
    throw error
  }
}

const reasons = {
  broken: { fr: 'Cette sonde ne se lit pas.', en: 'This monitor cannot be read.' },
  inverted: {
    fr: 'Elle est inversée dans Uptime Kuma : ce qui répond y compte comme une panne.',
    en: 'It is inverted in Uptime Kuma: what answers counts as down there.',
  },
  codes: {
    fr: 'Elle accepte plusieurs codes de réponse; une sonde d’ici en attend un seul, ou tout code de succès.',
    en: 'It accepts several response codes; a monitor here expects one, or any code of success.',
  },
}
const unknownType = (type: string): Label => ({
  fr: `Le type « ${type.slice(0, 60)} » n’existe pas ici (http, port, dns, ping, push).`,
  en: `The type “${type.slice(0, 60)}” does not exist here (http, port, dns, ping, push).`,
})

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, Math.round(value)))

function toValues(monitor: KumaMonitor, groups: ReadonlyMap<number, KumaMonitor>) {
  if (monitor.upside_down || monitor.upsideDown || monitor.invert_keyword || monitor.invertKeyword)
    throw new Refused(reasons.inverted)
  const { interval, timeout, maxretries } = monitor
  return {
    network: networkOf(monitor, groups),
    element: cut(monitor.name.trim(), limits.name),
    ...targetOf(monitor),
    ...(interval && { interval_s: clamp(interval, 30, 3_600) }),
    ...(timeout && { timeout_ms: clamp(timeout * 1_000, 100, 10_000) }),
    failures_before: clamp((maxretries ?? 0) + 1, 1, 10),
  }
}

/** The outermost group; groups of groups have no counterpart here. */
function networkOf({ parent }: KumaMonitor, groups: ReadonlyMap<number, KumaMonitor>) {
  let name = ''
  const passed = new Set<number>()
  for (let group = groups.get(parent ?? 0); group && !passed.has(group.id); group = groups.get(group.parent ?? 0)) {
    passed.add(group.id)
    name = group.name.trim()
  }
  return cut(name, limits.name)
}

function targetOf(monitor: KumaMonitor) {
  const { type, url, hostname, port, keyword } = monitor
  const host = (hostname ?? '').trim()
  if (type === 'http' || type === 'keyword') {
    const status = statusOf(monitor)
    return {
      kind: 'http',
      target: (url ?? '').trim(),
      ...(status && { status }),
      ...(type === 'keyword' && keyword && { text: keyword }),
    }
  }
  if (type === 'port') return { kind: 'tcp', target: `${host.includes(':') ? `[${host}]` : host}:${port ?? ''}` }
  if (type === 'ping' || type === 'dns') return { kind: type, target: host }
  if (type === 'push') return { kind: 'signal', target: '' }
  throw new Refused(unknownType(type))
}

/** The one status that is expected; none where any success is. */
function statusOf({ accepted_statuscodes: given, accepted_statuscodes_json: stored }: KumaMonitor) {
  const codes = given ?? parseCodes(stored)
  const [first = ''] = codes
  if (codes.length === 0 || (codes.length === 1 && first === '200-299')) return undefined
  if (codes.length === 1 && /^\d{3}$/.test(first)) return Number(first)
  throw new Refused(reasons.codes)
}

function parseCodes(stored: string | null | undefined): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(stored || '[]'))
  } catch {
    throw new Refused(reasons.codes)
  }
}
