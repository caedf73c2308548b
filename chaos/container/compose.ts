import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { createTestClient } from '../../src/app/testing/test-client.ts'
import { pause } from '../clients.ts'
import type { Row } from '../row.ts'
import { seesEdit, useInBrowsers } from './browser.ts'
import { checkRights, sendForm } from './checks.ts'
import type { Project } from './podman.ts'
import { buildImage, createProject, podman, readText, run } from './podman.ts'
import type { Report } from './report.ts'
import { createReport } from './report.ts'
import { findChanged, readColumns, readTables } from './tables.ts'

const origin = 'https://localhost'
/** What an update and a start write by themselves. */
const ownTables = new Set(['migrations', 'network_product_beats'])

export const compose: Row = {
  name: 'compose',
  fault:
    'an older version installed by compose.yaml with podman-compose, used in browsers, updated to this one on the same volumes, backed up, and restored after newer data; as root, with ports 80 and 443 free (docs/operations.md#what-was-tested)',
  async run() {
    const { report, result } = createReport()
    const folder = mkdtempSync(join(tmpdir(), 'guichet-compose-'))
    const tree = join(folder, 'older')
    const settings = {
      DOMAIN: 'localhost',
      POSTGRES_PASSWORD: randomBytes(32).toString('hex'),
      SESSION_SECRET: randomBytes(32).toString('hex'),
      GUICHET_VERSION: 'older',
    }
    try {
      run(join(import.meta.dirname, 'base-images.sh'), [])
      const withMigration = String(run('git', ['log', '--diff-filter=A', '-1', '--format=%H', '--', 'migrations/*.sql'])).trim()
      run('git', ['worktree', 'add', '--detach', tree, `${withMigration}^`])
      for (const [from, image] of [
        [tree, 'localhost/guichet:older'],
        [process.cwd(), 'localhost/guichet:newer'],
      ] as const) {
        const { seconds, megabytes } = buildImage(from, image)
        report(`${image}, built (s), MB`, `${seconds}, ${megabytes}`)
      }
      const project = createProject(join(folder, 'guichet-tried'), settings)
      try {
        await install(project, report)
        await update(project, report)
        await restart(project, report)
        await restore(project, report)
      } finally {
        project.remove()
      }
    } catch (error) {
      report('ended', error instanceof Error ? error.message : String(error), false)
    } finally {
      rmSync(folder, { recursive: true, force: true })
      run('git', ['worktree', 'prune'])
    }
    return result()
  },
}

async function install(project: Project, report: Report) {
  const startedAt = performance.now()
  project.compose(['up', '-d'])
  await project.untilHealthy()
  report('up -d until all are healthy (s)', Math.round((performance.now() - startedAt) / 1_000))
  // The proxy's own authority issues the certificate of localhost.
  const authority = project.exec('proxy', ['cat', '/data/caddy/pki/authorities/local/root.crt'])
  tls.setDefaultCACertificates([...tls.getCACertificates(), authority])
  await checkPages(report)
  report('a form over HTTPS', await sendForm(origin))
  const password = /Password \(shown only once\): (\S+)/.exec(readText(['logs', project.nameOf('app')]))?.[1] ?? ''
  const problems = await useInBrowsers(origin, { username: 'admin', password })
  report('in browsers: a form, its request, an edit, a chat', problems.join(' / ') || 'without an error', problems.length === 0)
  await checkEdit(report)
  checkSandbox(project, report)
  report('memory', readText(['stats', '--no-stream', '--format', '{{.MemUsage}}', project.nameOf('app')]))
}

async function update(project: Project, report: Report) {
  const [columns, migrations] = [readColumns(project.query), countMigrations(project)]
  project.set({ GUICHET_VERSION: 'newer' })
  const stoppedAt = performance.now()
  stopApp(project, report)
  const older = readTables(project.query, columns)
  project.compose(['down'])
  project.compose(['up', '-d'])
  report('update: no page for (ms)', await untilAnswered(stoppedAt))
  await project.untilHealthy()
  report('migrations', `${migrations} -> ${countMigrations(project)}`, countMigrations(project) > migrations)
  reportSame(older, readTables(project.query, columns), report)
  await checkEdit(report)
  await checkPages(report)
  report('a form over HTTPS', await sendForm(origin))
}

async function restart(project: Project, report: Report) {
  const startedAt = performance.now()
  project.stopAll()
  project.startAll()
  report('as at a reboot: no page for (ms)', await untilAnswered(startedAt))
  await project.untilHealthy()
  await checkEdit(report)
}

async function restore(project: Project, report: Report) {
  const requests = countRequests(project)
  project.exec('app', ['guichet', 'backup', '/data/backups/today.tar.gz'])
  const backedUp = readTables(project.query, readColumns(project.query))
  const backup = podman(['exec', project.nameOf('app'), 'cat', '/data/backups/today.tar.gz'])
  report('backup (bytes)', backup.length, backup.length > 10_000)
  report('a form over HTTPS', await sendForm(origin))
  report('requests after it', countRequests(project), countRequests(project) === requests + 1)
  stopApp(project, report)
  project.query('alter database guichet rename to guichet_broken', 'postgres')
  project.query('create database guichet', 'postgres')
  const output = project.compose(['run', '--rm', '-T', 'app', 'guichet', 'restore', '-'], backup)
  const restored = /Restored and verified.*/.exec(output)?.[0]
  report('restore', restored ?? output, restored !== undefined)
  reportSame(backedUp, readTables(project.query, readColumns(project.query)), report)
  const startedAt = performance.now()
  project.compose(['start'])
  report('start after the restore until a page (ms)', await untilAnswered(startedAt))
  await project.untilHealthy()
  report('requests', countRequests(project), countRequests(project) === requests)
  await checkEdit(report)
  await checkPages(report)
  stopApp(project, report)
}

const countMigrations = (project: Project) => Number(project.query('select count(*) from migrations'))
const countRequests = (project: Project) => Number(project.query('select count(*) from requests'))

function reportSame(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, report: Report) {
  const changed = findChanged(before, after)
  const figure = `${before.size - changed.length} of ${before.size}; not ${changed.join(', ')}`
  report(
    'tables with the same rows',
    figure,
    changed.every((table) => ownTables.has(table)),
  )
}

async function checkEdit(report: Report) {
  const isSeen = await seesEdit(origin)
  report('the edit is seen', String(isSeen), isSeen)
}

async function checkPages(report: Report) {
  for (const [path, language] of [
    ['/', 'fr'],
    ['/?lang=en', 'en'],
  ] as const) {
    const { status, text } = await createTestClient(origin).get(path)
    report(path, status, status === 200 && text.includes(`<html lang="${language}`) && text.includes('<h1'))
  }
}

function checkSandbox(project: Project, report: Report) {
  const status = project.exec('app', ['cat', '/proc/1/status'])
  report('user', project.exec('app', ['id', '-un']), project.exec('app', ['id', '-u']) === '1000')
  checkRights(status, report)
  const writable = ['/app', '/own', '/etc', '/usr/local/bin', '/data', '/tmp'].filter(
    (path) => project.exec('app', ['sh', '-c', `touch ${path}/x 2>/dev/null && rm ${path}/x && echo yes || true`]) === 'yes',
  )
  report('writable', writable.join(' '), writable.join(' ') === '/data /tmp')
}

/** Milliseconds until a visitor gets a page. */
async function untilAnswered(startedAt: number) {
  const isAnswered = async () => {
    try {
      return (await fetch(origin)).ok
    } catch {
      return false
    }
  }
  while (!(await isAnswered())) {
    if (performance.now() - startedAt > 120_000) throw new Error('no page within two minutes')
    await pause(50)
  }
  return Math.round(performance.now() - startedAt)
}

function stopApp(project: Project, report: Report) {
  const startedAt = performance.now()
  podman(['stop', project.nameOf('app')])
  const lasted = Math.round(performance.now() - startedAt)
  const code = readText(['inspect', '--format', '{{.State.ExitCode}}', project.nameOf('app')])
  report('stop (ms), exit code', `${lasted}, ${code}`, lasted < 10_000 && code === '0')
}
