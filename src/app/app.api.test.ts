import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from './testing/test-app.ts'
import { startTestApp } from './testing/test-app.ts'

let product: TestApp
beforeAll(async () => {
  product = await startTestApp()
})
afterAll(() => product.stop())

/** Opens connections in a worker thread, signals when all are open, then counts the responses. */
const crowd = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, size, awake } } = require('node:worker_threads')
let [standing, over, answered] = [0, 0, 0]
const sockets = Array.from({ length: size }, () => {
  const socket = connect(port, '127.0.0.1')
  socket.once('data', (head) => (answered += String(head).startsWith('HTTP/1.1 200')))
  socket.on('error', () => {})
  socket.on('close', () => ++over === size && parentPort.postMessage(answered))
  socket.on('connect', () => ++standing === size && ask())
  return socket
})
function ask() {
  Atomics.store(awake, 0, 1)
  Atomics.notify(awake, 0)
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n')
}`

test('a thousand connections during a busy period are queued, and all get a response', async () => {
  const size = 1_000
  const awake = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(crowd, { eval: true, workerData: { port: Number(new URL(product.origin).port), size, awake } })
  // Blocks this thread, where the server runs, so that it accepts no connection meanwhile.
  expect(Atomics.wait(awake, 0, 0, 10_000)).not.toBe('timed-out')
  expect(await once(worker, 'message')).toEqual([size])
})
