// Part of the build: writes the software bill of materials (CycloneDX 1.6) of what the product ships and runs on.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export const sbomFile = 'build/sbom.cdx.json'

type Package = {
  version: string
  integrity?: string
  license?: string
  dev?: boolean
  optional?: boolean
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
export type LockFile = { name: string; version: string; packages: Record<string, Package> }

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Made from the lock file alone, so that the same sources give the same bytes everywhere. `npm sbom --omit dev` omits packages
 * that build tools need too, such as React.
 */
export function makeSbom(lockText: string) {
  const lock = JSON.parse(lockText) as LockFile
  const { '': own = { version: lock.version }, ...packages } = lock.packages
  const ownRef = `${lock.name}@${lock.version}`
  const refOf = (path: string) => (path === '' ? ownRef : `${nameOf(path)}@${packages[path]?.version}`)
  const components = new Map<string, ReturnType<typeof describe>>()
  const dependencies = new Map<string, Set<string>>()
  const visited = new Set<string>()

  /** All packages reachable from the product's dependencies, without its tools. */
  function visit(path: string, { peerDependencies = {}, peerDependenciesMeta = {}, ...one }: Package) {
    if (visited.has(path)) return
    visited.add(path)
    if (path !== '') components.set(refOf(path), describe(nameOf(path), one))
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
    const needed = dependencies.get(refOf(path)) ?? new Set<string>()
    dependencies.set(refOf(path), needed)
    for (const name of [...Object.keys({ ...one.dependencies, ...one.optionalDependencies }), ...peers]) {
      const found = findPackage(packages, path, name)
      if (!found) continue
      needed.add(refOf(found.path))
      visit(found.path, found.one)
    }
  }
  visit('', own)

  const sorted = (names: Iterable<string>) => [...names].toSorted()
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(lockText),
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...describe(lock.name, { ...own, version: lock.version }), type: 'application' },
    },
    components: sorted(components.keys()).flatMap((ref) => components.get(ref) ?? []),
    dependencies: sorted(dependencies.keys()).map((ref) => ({ ref, dependsOn: sorted(dependencies.get(ref) ?? []) })),
  }
}

/** Resolves like Node: in the package's folder, then in each parent folder. */
function findPackage(packages: LockFile['packages'], from: string, name: string): { path: string; one: Package } | null {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  const one = packages[path]
  if (one) return { path, one }
  if (from === '') return null
  const above = from.lastIndexOf('/node_modules/')
  return findPackage(packages, above < 0 ? '' : from.slice(0, above), name)
}

function describe(name: string, { version, integrity, license, optional }: Package) {
  const [algorithm, hash] = integrity?.split(' ')[0]?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(algorithm === 'sha512' && hash
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }
      : {}),
    ...(license ? { licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }] } : {}),
  }
}

function serialNumber(lockText: string) {
  const hex = createHash('sha256').update(lockText).digest('hex')
  // A version 8 UUID (RFC 9562), from a hash.
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(dirname(sbomFile), { recursive: true })
  writeFileSync(sbomFile, `${JSON.stringify(makeSbom(readFileSync('package-lock.json', 'utf8')), null, 2)}\n`)
}
