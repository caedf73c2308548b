import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A copy of the built product as a next release: only the version of the site differs. */
export function makeNextBuild() {
  const folder = mkdtempSync(join(tmpdir(), 'guichet-build-'))
  const link = (path: string) => symlinkSync(resolve(path), join(folder, path))
  for (const entry of readdirSync('.')) if (entry !== 'build') link(entry)
  mkdirSync(join(folder, 'build/site'), { recursive: true })
  link('build/server')
  link('build/site/client')
  cpSync('build/site/server', join(folder, 'build/site/server'), { recursive: true })
  const bundle = join(folder, 'build/site/server/index.js')
  const before = readFileSync(bundle, 'utf8')
  const after = before.replace(/(version": ?")[\da-f]+"/, '$1abcdef01"')
  if (after === before) throw new Error('the build names no version')
  writeFileSync(bundle, after)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
