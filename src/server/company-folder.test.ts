import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyCompanyFolder, isCompanyFolderChanged, linkCompanyFolder } from './company-folder.ts'
import { ConfigError } from './config.ts'

let root: string
let own: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'guichet-company-'))
  own = join(root, 'data/company')
  write('company/company.ts', 'the sample')
  write('company/texts/fr/about.txt', 'de l’exemple')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const readBuilt = (path: string) => readFileSync(join(root, 'build/company', path), 'utf8')

test('a build shows the company’s own files in place of the sample’s, and leaves the sample as it is', () => {
  write('data/company/company.ts', 'ours')
  write('data/company/photos/team.webp', 'a picture')
  copyCompanyFolder(own, root)
  expect(readBuilt('company.ts')).toBe('ours')
  expect(readBuilt('texts/fr/about.txt')).toBe('de l’exemple')
  expect(readBuilt('photos/team.webp')).toBe('a picture')
  expect(readFileSync(join(root, 'company/company.ts'), 'utf8')).toBe('the sample')
})

test('what is built of private files can be read by the product’s own user, also behind links', () => {
  write('elsewhere/about.txt', 'de nous')
  write('data/company/company.ts', 'ours')
  chmodSync(join(own, 'company.ts'), 0o600)
  symlinkSync(join(root, 'elsewhere'), join(own, 'texts'))
  copyCompanyFolder(own, root)
  expect(statSync(join(root, 'build/company/company.ts')).mode & 0o044).toBe(0o044)
  expect(readBuilt('texts/about.txt')).toBe('de nous')
  write('elsewhere/about.txt', 'de nous deux')
  expect(isCompanyFolderChanged(own, root)).toBe(true)
})

test('an own file that was removed gives way to the sample at the next build', () => {
  write('data/company/company.ts', 'ours')
  copyCompanyFolder(own, root)
  rmSync(own, { recursive: true })
  expect(isCompanyFolderChanged(own, root)).toBe(true)
  copyCompanyFolder(own, root)
  expect(readBuilt('company.ts')).toBe('the sample')
  expect(isCompanyFolderChanged(own, root)).toBe(false)
})

test('the start notices own files that the build does not show yet', () => {
  copyCompanyFolder(own, root)
  expect(isCompanyFolderChanged(own, root)).toBe(false)
  write('data/company/texts/fr/about.txt', 'de nous')
  expect(isCompanyFolderChanged(own, root)).toBe(true)
  copyCompanyFolder(own, root)
  expect(isCompanyFolderChanged(own, root)).toBe(false)
  write('data/company/texts/fr/about.txt', 'de nous deux')
  expect(isCompanyFolderChanged(own, root)).toBe(true)
})

test('a folder elsewhere becomes part of the data folder, and never hides one that is there', () => {
  const dataDir = join(root, 'data')
  write('elsewhere/company.ts', 'ours')
  write('later/company.ts', 'ours')
  mkdirSync(dataDir)
  linkCompanyFolder({ dataDir, companyDir: own })
  expect(existsSync(own)).toBe(false)
  linkCompanyFolder({ dataDir, companyDir: join(root, 'elsewhere') })
  linkCompanyFolder({ dataDir, companyDir: join(root, 'later') })
  expect(readlinkSync(own)).toBe(join(root, 'later'))
  rmSync(own)
  write('data/company/company.ts', 'ours')
  expect(() => linkCompanyFolder({ dataDir, companyDir: join(root, 'later') })).toThrow(ConfigError)
})
