import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { createConcurrencyLimit, runInWorker } from './limited-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'guichet-worker-'))
afterEach(() => vi.restoreAllMocks())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limits = { timeMs: 30_000, memoryMb: 64 }

function workerOf(name: string, code: string) {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, `import { parentPort, workerData } from 'node:worker_threads'\n${code}`)
  return pathToFileURL(file)
}

test('a task returns its result, without access to the environment', async () => {
  const worker = workerOf('good', 'parentPort.postMessage({ got: workerData, environment: Object.keys(process.env) })')
  expect(await runInWorker(worker, 'x', limits)).toEqual({ got: 'x', environment: [] })
})

test('an endless task times out without blocking the event loop', async () => {
  let turns = 0
  const counting = setInterval(() => (turns += 1), 5)
  const endless = runInWorker(workerOf('endless', 'for (;;);'), null, { ...limits, timeMs: 500 })
  await expect(endless).rejects.toMatchObject({ limit: 'time' })
  clearInterval(counting)
  expect(turns).toBeGreaterThan(10)
})

test.each([
  ['its heap', 'const all = []; for (;;) all.push({ at: all.length })'],
  ['its buffers', 'const all = []; for (;;) all.push(new Uint8Array(1_000_000).fill(1))'],
  ['its WebAssembly', 'const all = []; for (;;) all.push(new WebAssembly.Memory({ initial: 16 }))'],
])('a task that uses too much memory for %s is stopped', async (what, code) => {
  await expect(runInWorker(workerOf(what.replaceAll(' ', '-'), code), null, limits)).rejects.toMatchObject({ limit: 'memory' })
})

test('a task that runs out of memory while it is stopped for another reason breaks nothing', async () => {
  const terminate = Worker.prototype.terminate
  vi.spyOn(Worker.prototype, 'terminate').mockImplementation(async function (this: Worker) {
    this.emit('error', Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }))
    return terminate.call(this)
  })
  const endless = runInWorker(workerOf('endless', 'for (;;);'), null, { ...limits, timeMs: 100 })
  await expect(endless).rejects.toMatchObject({ limit: 'time' })
})

test.each([
  ['that throws', 'throw new TypeError("broken")', 'broken'],
  ['that leaves', 'process.exit(3)', 'ended with 3'],
])('a task %s fails instead of hanging', async (what, code, message) => {
  await expect(runInWorker(workerOf(what.replaceAll(' ', '-'), code), null, limits)).rejects.toThrow(message)
})

test('tasks wait for a free slot, and a failed one frees its slot', async () => {
  const takeTurn = createConcurrencyLimit(2)
  let running = 0
  let most = 0
  const task = (fails: boolean) => async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    if (fails) throw new Error('failed')
  }
  const all = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => takeTurn(task(at % 2 === 0))))
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  expect(most).toBe(2)
})
