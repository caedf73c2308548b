import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** A repository of its own, with the real script and the real lock file. */
let root = ''
const environment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Marie',
  GIT_AUTHOR_EMAIL: 'marie@example.com',
  GIT_COMMITTER_NAME: 'Marie',
  GIT_COMMITTER_EMAIL: 'marie@example.com',
}
const run = (program: string, ...words: string[]) =>
  execFileSync(program, words, { cwd: root, encoding: 'utf8', env: environment, stdio: 'pipe' })
const release = () => spawnSync(process.execPath, ['scripts/release.ts'], { cwd: root, encoding: 'utf8', env: environment })
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const written = (file: string) => readFileSync(join(root, 'releases', file))

function commit() {
  run('git', 'add', '--all')
  run('git', 'commit', '--quiet', '--message', 'docs: tell what changed')
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'guichet-release-'))
  mkdirSync(join(root, 'scripts'))
  for (const file of ['scripts/release.ts', 'scripts/sbom.ts', 'package.json', 'package-lock.json', 'CHANGELOG.md', '.gitignore'])
    cpSync(resolve(file), join(root, file))
  run('git', 'init', '--quiet')
  commit()
})
afterEach(() => rmSync(root, { recursive: true }))

test('one command writes the archive, its bill of materials, their checksums and the tag', () => {
  const { status, stdout, stderr } = release()
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain(`git push origin v${version}`)
  expect(run('tar', '-tzf', `releases/guichet-${version}.tar.gz`)).toContain(`guichet-${version}/package-lock.json\n`)
  expect(JSON.parse(written(`guichet-${version}.cdx.json`).toString())).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { version } },
  })
  // As `sha256sum --check` reads it.
  const lines = written(`guichet-${version}.sha256`).toString().trim().split('\n')
  expect(lines).toHaveLength(2)
  for (const [sum, file = ''] of lines.map((line) => line.split('  ')))
    expect(createHash('sha256').update(written(file)).digest('hex'), file).toBe(sum)
  expect(run('git', 'rev-list', '-n', '1', `v${version}`)).toBe(run('git', 'rev-parse', 'HEAD'))

  // The same commit gives the same bytes.
  const first = written(`guichet-${version}.sha256`)
  expect(release().status).toBe(0)
  expect(written(`guichet-${version}.sha256`)).toEqual(first)
})

test('a release says what is missing, and writes nothing', () => {
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changes\n')
  expect(release()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('not committed') })
  commit()
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('CHANGELOG.md has no heading') })
  cpSync(resolve('CHANGELOG.md'), join(root, 'CHANGELOG.md'))
  commit()
  run('git', 'tag', `v${version}`, 'HEAD~1')
  expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining('another commit') })
  expect(() => written(`guichet-${version}.tar.gz`)).toThrow()
})
