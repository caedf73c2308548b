import { setTimeout as pause } from 'node:timers/promises'
import { administrator, startProduct } from '../e2e/product.ts'
import type { TestClient } from '../src/app/testing/test-client.ts'
import { createTestClient } from '../src/app/testing/test-client.ts'
import type { ImportResult } from '../src/features/imports/contract.ts'
import type { Row } from './row.ts'

const entries = 5_000
const kills = 10
const path = '/api/imports/imports'
const word = 'import-'

export const importKilled: Row = {
  name: 'imports',
  fault: `kill -9 the server ${kills} times during an import of ${entries} entries, then import it again and undo it`,
  async run() {
    const product = await startProduct({ DEMO: '0' })
    const client = await createTestClient(product.address()).arrive()
    const { status, text } = await client.post('/api/auth/login', administrator)
    if (status !== 200) throw new Error(`sign-in refused: ${text}`)

    const first = await send(client)
    await ask<ImportResult>(client.post(`${path}/${first.id_import}/run`), 202)
    const readImport = () => ask<ImportResult>(client.get(`${path}/${first.id_import}`))
    const doneAtKills: number[] = []
    let restartMs = 0
    for (let kill = 1; kill <= kills; kill += 1) {
      const due = (entries * kill) / (kills + 1)
      const reached = await waitFor(readImport, ({ done, state }) => state !== 'running' || done >= due)
      if (reached.state !== 'running') break
      doneAtKills.push(reached.done)
      const startedAt = performance.now()
      await product.restart('SIGKILL')
      restartMs = Math.max(restartMs, performance.now() - startedAt)
    }
    const ended = await waitFor(readImport, ({ state }) => state !== 'running')
    const stored = await readShortcuts(client)

    const again = await send(client)
    const undone = await ask<ImportResult>(client.post(`${path}/${first.id_import}/undo`), 200)
    const left = await readShortcuts(client)
    await product.stop()
    const twice = stored.length - new Set(stored).size
    const absent = wanted.filter((one) => !stored.includes(one)).length
    return {
      good:
        doneAtKills.length === kills &&
        ended.state === 'done' &&
        ended.created['chat'] === entries &&
        [absent, twice, left.length, undone.left, again.refused_total].every((one) => one === 0) &&
        again.known === entries,
      figures: {
        'done at each kill': doneAtKills.join(', '),
        'state at the end': ended.state,
        'counted as created': ended.created['chat'] ?? 0,
        absent,
        'stored twice': twice,
        'known the second time': again.known,
        'left by the undo': left.length,
        'longest restart (ms)': Math.round(restartMs),
      },
    }
  },
}

const wanted = Array.from({ length: entries }, (_, index) => `${word}${index}`)

async function send(client: TestClient) {
  const form = new FormData()
  form.set('kind', 'replies')
  form.set('file', new Blob([['raccourci,texte', ...wanted.map((name) => `${name},Texte de ${name}`)].join('\n')]), 'replies.csv')
  return ask<ImportResult>(client.post(path, form), 201)
}

async function readShortcuts(client: TestClient) {
  const replies = await ask<{ shortcut: string }[]>(client.get('/api/chat/canned_replies'))
  return replies.map(({ shortcut }) => shortcut).filter((shortcut) => shortcut.startsWith(word))
}

async function ask<Body>(sent: Promise<{ status: number; body: unknown; text: string }>, expected = 200) {
  const { status, body, text } = await sent
  if (status !== expected) throw new Error(`${status}: ${text}`)
  return body as Body
}

async function waitFor<Value>(read: () => Promise<Value>, isReached: (value: Value) => boolean) {
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
    await pause(5)
  }
}
