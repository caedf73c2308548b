import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const files = [
  ...globSync('{src,e2e,scripts,bench,chaos,deploy,company,docs}/**/*.{ts,tsx,mjs,css,md,yaml,yml,service}'),
  ...globSync('*.{md,ts,yaml}'),
].filter((file) => statSync(file).isFile())

const read = (file: string) => readFileSync(file, 'utf8')

/** Matches of a pattern as `file: match`. */
const findAll = (pattern: RegExp) =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map(([found, ...groups]) => ({ file, found, groups })))

/** Anchors of the headings of a document, as GitHub and GitLab make them. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('each cited requirement exists', () => {
  const numbers = new Set([...read('docs/specification.md').matchAll(/^- \*\*R-(\d+)\*\*/gm)].map(([, number]) => number))
  const cited = findAll(/\bR-(\d+)\b/g)
  expect(cited.length).toBeGreaterThan(300)
  expect(cited.filter(({ groups: [number] }) => !numbers.has(number)).map(({ file, found }) => `${file}: ${found}`)).toEqual([])
})

test('each cited document exists, with the cited heading', () => {
  const unresolved: string[] = []
  for (const { file, found, groups } of findAll(/(?<![\w*.>}-])((?:[\w.-]+\/|\/)*[\w-]+\.md)(?:#([\w-]+))?/g)) {
    const [path = '', anchor] = groups
    const pages = [path, join('docs', path), join('docs/security', path), join('company/texts', path), join(dirname(file), path)]
    // Files in deploy/ contain paths of an installation.
    const page = [...pages, path.replace(/^\/+opt\/guichet\//, '')].find((one) => existsSync(one))
    if (page === undefined || (anchor !== undefined && !anchorsOf(page).includes(anchor))) unresolved.push(`${file}: ${found}`)
  }
  expect(unresolved).toEqual([])
})

test('each cited decision exists', () => {
  const numbers = new Set(globSync('docs/decisions/*.md').map((file) => file.replace(/.*\/(\d+)-.*/, '$1')))
  const cited = findAll(/\bdecision (\d{3})\b/g)
  expect(cited.length).toBeGreaterThan(0)
  expect(
    cited.filter(({ groups: [number] }) => !numbers.has(number ?? '')).map(({ file, found }) => `${file}: ${found}`),
  ).toEqual([])
})

/** Every source file, and the path prefixes that a document may omit. */
const sources = globSync('{src,e2e,scripts,bench,chaos,company}/**/*.{ts,tsx,mjs,css}')

test('each source file named by a document exists', () => {
  const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('company/'))
  const missing: string[] = []
  for (const document of documents) {
    for (const [, named = ''] of read(document).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|css))`/g)) {
      const exists = existsSync(named) || sources.some((source) => source.endsWith(`/${named}`))
      if (!exists && !named.includes('*')) missing.push(`${document}: ${named}`)
    }
  }
  expect(missing).toEqual([])
})
