// `npm run release`: the version of package.json as `releases/guichet-VERSION.tar.gz`, with its bill of materials, the checksums of
// both, and the tag that a server checks out. The same commit gives the same bytes everywhere.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeSbom } from './sbom.ts'

/** What has to be done before a release; the message says it. */
class NotReleasable extends Error {}

if (import.meta.main) {
  try {
    process.stdout.write(`${release()}\n`)
  } catch (error) {
    if (!(error instanceof NotReleasable)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

function release() {
  const git = (...words: string[]) => execFileSync('git', words, { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'pipe'] })
  const ask = (...words: string[]) =>
    git(...words)
      .toString()
      .trim()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const tag = `v${version}`

  if (ask('status', '--porcelain') !== '')
    throw new NotReleasable('There are changes that are not committed: a release is of a commit.')
  const locked = (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { version: string }).version
  if (locked !== version)
    throw new NotReleasable(`package-lock.json has version ${locked}, package.json ${version}: run npm install.`)
  if (!readFileSync('CHANGELOG.md', 'utf8').includes(`\n## ${version} `))
    throw new NotReleasable(`CHANGELOG.md has no heading "## ${version} (DATE)": say what the release changes.`)
  const commit = ask('rev-parse', 'HEAD')
  const tagged = ask('tag', '--list', tag) === '' ? null : ask('rev-list', '-n', '1', tag)
  if (tagged !== null && tagged !== commit)
    throw new NotReleasable(`${tag} is another commit: raise the version of package.json (npm version --no-git-tag-version).`)

  const name = `guichet-${version}`
  const archive = gzipSync(git('archive', '--format=tar', `--prefix=${name}/`, 'HEAD'), { level: 9 })
  const sbom = `${JSON.stringify(makeSbom(readFileSync('package-lock.json', 'utf8')), null, 2)}\n`
  const files: [string, Buffer | string][] = [
    [`${name}.tar.gz`, archive],
    [`${name}.cdx.json`, sbom],
  ]
  const sums = files.map(([file, content]) => `${createHash('sha256').update(content).digest('hex')}  ${file}\n`).join('')
  mkdirSync('releases', { recursive: true })
  for (const [file, content] of [...files, [`${name}.sha256`, sums] as const]) writeFileSync(join('releases', file), content)
  if (tagged === null) git('tag', '--annotate', tag, '--message', `Guichet ${version}`)
  const written = [...files.map(([file]) => file), `${name}.sha256`].map((file) => `releases/${file}`).join('\n')
  return `${written}\n${tag} is ${commit.slice(0, 8)}: git push origin ${tag}`
}
