import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../e2e/product.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import { addressOf, trusting } from './clients.ts'
import { startPostgres } from './postgres.ts'
import type { Row } from './row.ts'

const forms = 300

export const backup: Row = {
  name: 'backup',
  fault: 'a backup while the product runs, restored on an empty machine; then moved to PostgreSQL',
  async run() {
    const product = await startProduct({ ...trusting })
    const client = await createTestClient(product.address()).arrive()
    for (let number = 0; number < forms; number += 1) {
      const body = { honey: '', name: `Ana ${number}`, email: 'ana@example.com', phone: '418-555-0101', message: 'Bonjour' }
      await client.post('/api/mailer/contact', body, { headers: { 'x-forwarded-for': addressOf(number) } })
    }
    const folder = mkdtempSync(join(tmpdir(), 'guichet-backup-'))
    const file = join(folder, 'backup.tar.gz')
    const { port } = new URL(product.address())
    const made = command('backup', [file], { DATA_DIR: product.dataDir, PORT: port })
    writeFileSync(join(folder, 'secret'), readFileSync(join(product.dataDir, 'session-secret')))
    await product.stop()

    const empty = mkdtempSync(join(tmpdir(), 'guichet-empty-'))
    const restored = command('restore', ['-'], { DATA_DIR: empty }, readFileSync(file))
    const second = command('restore', [file], { DATA_DIR: empty })
    const sameSecret = readFileSync(join(folder, 'secret'), 'utf8') === readFileSync(join(empty, 'session-secret'), 'utf8')

    const postgres = await startPostgres()
    const moved = command('db-move', [], { DATA_DIR: empty, DATABASE_URL: postgres.url })
    const again = await startProduct({ DATABASE_URL: postgres.url, DEMO: '0' }, empty)
    const ready = (await fetch(`${again.address()}/readyz`)).status
    await again.stop()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
    return {
      good: made.code === 0 && restored.code === 0 && second.code === 1 && moved.code === 0 && sameSecret && ready === 200,
      figures: {
        'made while it runs (ms)': made.lasted,
        backup: made.said.replace(file, 'backup.tar.gz'),
        'restored, counts and checksums compared (ms)': restored.lasted,
        restore: restored.said,
        'restored again over it': second.said,
        'moved (ms)': moved.lasted,
        move: moved.said,
        'ready on PostgreSQL': ready,
      },
    }
  },
}

function command(name: string, parameters: string[], environment: Record<string, string>, input?: Buffer) {
  const startedAt = performance.now()
  const done = spawnSync(process.execPath, [`scripts/${name}.ts`, ...parameters], {
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'fatal', ...environment },
    encoding: 'utf8',
    ...(input ? { input } : {}),
  })
  return { code: done.status, said: (done.stdout + done.stderr).trim(), lasted: Math.round(performance.now() - startedAt) }
}
