import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attachedFileMax } from '#src/features/chat/values.ts'
import { photoMaxBytes } from '#src/features/content/values.ts'
import { uploadMaxBytes } from '#src/features/recordings/values.ts'

/** Source of the product without its tests, by file. */
const code = new Map(
  globSync(['src/**/*.{ts,tsx}', 'company/**/*.ts'])
    .filter((file) => !/\.(test|spec)\.tsx?$|(^|\/)testing\//.test(file))
    .map((file) => [file, readFileSync(file, 'utf8')]),
)
const filesWith = (pattern: RegExp) => [...code].filter(([, text]) => pattern.test(text)).map(([file]) => file)

const practices = readFileSync('docs/security/practices.md', 'utf8')

/** Cells of the table below a heading. */
function tableUnder(heading: string) {
  const section = practices.split(`\n## ${heading}\n`)[1]?.split('\n## ', 1)[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((line) => line.slice(2, -2).split(' | '))
}

test('reads the source code', () => {
  expect(code.size).toBeGreaterThan(400)
})

test('no code is evaluated from text, and no shell is run but for the commands that an administrator gave to an update', () => {
  expect(filesWith(/\beval\(|new Function\(|\bexecSync\(|\bexec\(\s*[`'"]|shell: true|from 'node:vm'/)).toEqual([])
  expect(filesWith(/from 'node:child_process'/).toSorted()).toEqual([
    'src/features/content/server/picture-process.ts',
    'src/features/networks/monitors/server/checks.ts',
    'src/features/networks/monitors/server/kuma.ts',
    'src/features/recordings/server/audio.ts',
    'src/server/backup/running-backup.ts',
    ...['control', 'data', 'exchange', 'git', 'prepare', 'processes', 'run-update'].map((name) => `src/server/update/${name}.ts`),
  ])
  expect(filesWith(/spawn(?:Sync)?\('(?:ba|da)?sh'/)).toEqual(['src/server/update/control.ts'])
})

test('no regular expression is built from input', () => {
  // Each is built from texts of its own code.
  expect(filesWith(/new RegExp\(/).toSorted()).toEqual([
    'src/app/before-hydration.ts',
    'src/features/recordings/server/exported-files.ts',
    'src/lib/company-schema.ts',
    'src/lib/schemas.ts',
    'src/server/backup/check-archive.ts',
  ])
})

test('HTML is set in named places only', () => {
  expect(filesWith(/dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write/).toSorted()).toEqual([
    // What our server wrote and escaped.
    'src/features/jobs/web/job-page.tsx',
    'src/features/networks/web/status-changes.ts',
    'src/ui/page/json-ld.tsx',
    'src/ui/rich-text/html.ts',
    'src/ui/rich-text/rich-text.tsx',
  ])
})

test('only the listed algorithms are used', () => {
  const listed = tableUnder('Algorithms').map(([name = '']) => name)
  expect(listed).toEqual([
    'argon2id (19 MiB, 2 passes)',
    'AES-256-GCM',
    'ECDH and ECDSA on P-256, AES-128-GCM',
    'HKDF-SHA-256',
    'HMAC-SHA-256',
    'SHA-256',
    'HMAC-SHA-1',
  ])
  const used = new Set<string>()
  for (const text of code.values()) {
    for (const [, call = '', name = ''] of text.matchAll(
      /\b(createHash|createHmac|createCipheriv|createDecipheriv|hkdfSync|hkdf|pbkdf2Sync|scryptSync|createSign)\(\s*(?:'([^']+)'|\w+)/g,
    )) {
      used.add(`${call} ${name}`)
    }
  }
  const allowed = new Set([
    'createHash sha256',
    'createHmac sha256',
    'createCipheriv aes-256-gcm',
    'createDecipheriv aes-256-gcm',
    'hkdfSync sha256',
  ])
  expect([...used].filter((one) => !allowed.has(one))).toEqual([])
})

test('no secret value comes from Math.random', () => {
  // Allowed uses: the random delay of a reconnect, and the id of a history entry.
  for (const file of filesWith(/Math\.random\(/)) {
    const lines = (code.get(file) ?? '').split('\n').filter((line) => line.includes('Math.random('))
    for (const line of lines) expect(line, file).toMatch(/delay|wait|ms\b|Ms\b|spread|reconnection|history\./i)
  }
})

test('no certificate check is turned off', () => {
  const files = [
    ...code,
    ...['Dockerfile', 'compose.yaml', 'deploy/guichet.service'].map((file) => [file, readFileSync(file, 'utf8')]),
  ]
  const off = files.filter(([, text]) =>
    /rejectUnauthorized:\s*false|NODE_TLS_REJECT_UNAUTHORIZED|ignoreTLS: true/.test(text ?? ''),
  )
  expect(off.map(([file]) => file)).toEqual([])
})

test('outgoing connections are those of the documented list', () => {
  const opening =
    /\bfetch\(|\.fetch\(|createTransport\(|new ImapFlow\(|new Redis\(|new (?:pg\.)?Pool\(|new AwsClient\(|import \{[^}]*\b(?:connect|request|get|lookup)\b[^}]*\} from 'node:/
  const servers = filesWith(opening).filter((file) => /(^|\/)server\//.test(file))
  const listed = tableUnder('Connections').flatMap(([, , files = '']) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  )
  expect(servers.toSorted()).toEqual([...new Set(listed)].toSorted())
})

test('each limit is in the documented table', () => {
  const named = [...code.values()].flatMap((text) =>
    [...text.matchAll(/(?:limits|counters)\.take\(\s*[`']([^`'$]+)/g)].map(([, name = '']) => name),
  )
  const listed = tableUnder('Limits').map(([name = '']) => name.replaceAll('`', ''))
  expect(named.length).toBeGreaterThan(20)
  expect([...new Set(named)].filter((name) => !listed.some((one) => one.startsWith(name)))).toEqual([])
  expect(listed.filter((one) => !named.some((name) => one.startsWith(name)))).toEqual([])
})

test('each kind of file is in the documented table', () => {
  const sizes = new Map(tableUnder('Files').map(([way = '', , most = '']) => [way.split(' ', 1)[0], most]))
  const megabytes = (bytes: number) => new RegExp(`^${bytes / 1024 / 1024} MB\\b`)
  expect(sizes.get('photo')).toMatch(megabytes(photoMaxBytes))
  expect(sizes.get('file')).toMatch(megabytes(attachedFileMax))
  expect(sizes.get('call')).toMatch(megabytes(uploadMaxBytes))
})

test('no parser or client of a kind the product does not use is shipped', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { dev?: boolean }> }
  const shipped = Object.entries(lock.packages).flatMap(([path, { dev }]) =>
    dev || path === '' ? [] : [path.replace(/^.*node_modules\//, '')],
  )
  expect(shipped.length).toBeGreaterThan(100)
  const unused =
    /xml|sax|xpath|graphql|ldap|memcache|jsonwebtoken|passport|oauth|openid|latex|java|webrtc|mediasoup|serialize-javascript|js-yaml/i
  expect(shipped.filter((name) => unused.test(name) && !known.has(name))).toEqual([])
})

/**
 * Packages whose names match without being of such a kind, and the parser of WordPress exports, which streams and knows neither
 * external entities nor those of a DTD.
 */
const known = new Set(['xmlhttprequest-ssl', 'saxes', 'xmlchars'])
