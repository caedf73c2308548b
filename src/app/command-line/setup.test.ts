import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** A product of its own: the real starting scripts, with two packages that npm installs from this disk. */
let root = ''
const read = (path: string) => readFileSync(join(root, path), 'utf8')

function write(path: string, content: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'guichet-setup-'))
  for (const name of ['setup.mjs', 'build.mjs', 'start.mjs']) cpSync(`scripts/${name}`, join(root, 'scripts', name))
  const dependencies = { first: 'file:first', second: 'file:second' }
  write('package.json', JSON.stringify({ name: 'product', version: '1.0.0', type: 'module', dependencies }))
  const packages: Record<string, object> = { '': { name: 'product', version: '1.0.0', dependencies } }
  for (const name of ['first', 'second']) {
    write(`${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }))
    Object.assign(packages, { [name]: { version: '1.0.0' }, [`node_modules/${name}`]: { resolved: name, link: true } })
  }
  // As the pinned Node of other machines: never installed here.
  packages['node_modules/elsewhere'] = { version: '1.0.0', optional: true, os: 'none', cpu: 'none' }
  write('package-lock.json', JSON.stringify({ name: 'product', version: '1.0.0', lockfileVersion: 3, requires: true, packages }))
})
afterEach(() => rmSync(root, { recursive: true }))

const evaluate = (code: string, words: string[] = []) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', code, '--', ...words], { cwd: root, encoding: 'utf8' })

const installing = 'const { installWithProgress } = await import("./scripts/setup.mjs"); await installWithProgress()'

test('an installation says how far it is, and leaves the lock file as it was', () => {
  const lock = read('package-lock.json')
  const first = evaluate(installing)
  expect(first).toMatchObject({ status: 0, stdout: '' })
  expect(first.stderr).toMatch(/^Installing what is missing…\n/)
  expect(first.stderr).toMatch(/^2 \/ 2 packages\n$/m)
  expect(existsSync(join(root, 'node_modules/second'))).toBe(true)
  expect(read('package-lock.json')).toBe(lock)
  expect(readlinkSync(join(root, 'node_modules/.bin/guichet'))).toBe('../../scripts/guichet.mjs')

  expect(evaluate(installing)).toMatchObject({ status: 0, stdout: '', stderr: '' })
})

test('an installation tells its progress in French, as JSON, or not at all', () => {
  const again = (words: string[]) => {
    rmSync(join(root, 'node_modules'), { recursive: true, force: true })
    return evaluate(installing, words).stderr
  }
  expect(again(['--lang', 'fr'])).toMatch(/^Installation de ce qui manque…\n(.*\n)*2 \/ 2 paquets\n$/)
  const lines = again(['--json']).trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ done: 2, total: 2, unit: 'packages' })
  expect(again(['--quiet'])).toBe('')
})

test('with --dev the server starts again when one of its own files changes, and only then', async () => {
  write('src/main.ts', 'import { word } from "./server/word.ts"\nconsole.log(word)\nsetInterval(() => {}, 1_000)\n')
  write('src/server/word.ts', 'export const word = "before"\n')
  const starting = `const { start } = await import("./scripts/start.mjs")
    process.exit(await start({ isDevelopment: true, signal: new AbortController().signal, onBuilt: () => console.log("ready") }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', starting], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  await expect.poll(() => output).toBe('ready\nbefore\n')
  // Pages are Vite's to reload.
  write('src/features/jobs/web/jobs-page.tsx', 'export default 1\n')
  write('src/server/word.ts', 'export const word = "after"\n')
  await expect.poll(() => output).toBe('ready\nbefore\nafter\n')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(1)
})

test('a command whose output nobody reads any more ends without a stack trace', () => {
  const line = `'${process.execPath}' scripts/guichet.mjs --help | true`
  expect(spawnSync('sh', ['-c', line], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})
