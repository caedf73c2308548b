import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { alone } from './cluster/cluster.ts'
import { ConfigError, readConfig } from './config.ts'
import { logger } from './log.ts'
import { shareFiles, watchForUnsharedFiles } from './shared-files.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'guichet-shared-'))
  for (const name of ['one', 'other']) mkdirSync(join(root, name))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const configure = (environment: Record<string, string>) =>
  readConfig({
    NODE_ENV: 'test',
    DATA_DIR: join(root, 'one'),
    SESSION_SECRET: 'a secret of more than thirty-two characters',
    ...environment,
  })

test('what one instance keeps, another with its own data folder finds', () => {
  const filesDir = join(root, 'shared')
  mkdirSync(join(root, 'other/recordings'))
  for (const name of ['one', 'other', 'one']) shareFiles({ dataDir: join(root, name), filesDir })
  writeFileSync(join(root, 'one/recordings/call.mp3'), 'a call')
  expect(readFileSync(join(root, 'other/recordings/call.mp3'), 'utf8')).toBe('a call')
  expect(existsSync(join(root, 'other/exports'))).toBe(true)
})

test('files that are in the data folder already are neither hidden nor lost', () => {
  mkdirSync(join(root, 'one/recordings'))
  writeFileSync(join(root, 'one/recordings/call.mp3'), 'a call')
  expect(() => shareFiles({ dataDir: join(root, 'one'), filesDir: join(root, 'shared') })).toThrow(ConfigError)
  expect(readFileSync(join(root, 'one/recordings/call.mp3'), 'utf8')).toBe('a call')
})

test('the shared folder may be the data folder of all, and a store takes the recordings', () => {
  shareFiles({ dataDir: join(root, 'one'), filesDir: join(root, 'one') })
  symlinkSync(join(root, 'one'), join(root, 'same'))
  shareFiles({ dataDir: join(root, 'one'), filesDir: join(root, 'same') })
  expect(existsSync(join(root, 'one/recordings'))).toBe(false)
  const store = 'https://KEY:SECRET@s3.example.com/bucket?region=ca-central-1'
  expect(configure({ FILES_URL: store })).toMatchObject({ filesDir: undefined, recordingsS3Url: store })
  expect(configure({ FILES_URL: '/srv/files' })).toMatchObject({ filesDir: '/srv/files', recordingsS3Url: undefined })
  expect(() => configure({ FILES_URL: 'https://s3.example.com' })).toThrow(/FILES_URL/)
})

test('an instance that meets another says once which files each keeps to itself', () => {
  const warn = vi.spyOn(logger, 'warn').mockReturnValue(undefined)
  const listeners: (() => void)[] = []
  const cluster = { ...alone, onHello: (listener: () => void) => void listeners.push(listener) }
  watchForUnsharedFiles(cluster, configure({ FILES_URL: '/srv/files' }))
  expect(listeners).toEqual([])
  watchForUnsharedFiles(cluster, configure({ RECORDINGS_S3_URL: 'https://KEY:SECRET@s3.example.com/bucket' }))
  for (const listener of [...listeners, ...listeners]) listener()
  expect(warn).toHaveBeenCalledTimes(1)
  const folders = ['downloads', 'videos', 'imports', 'exports', 'uploads'].map((name) => join(root, 'one', name))
  expect(warn).toHaveBeenCalledWith({ folders }, expect.stringContaining('FILES_URL'))
  warn.mockRestore()
})
