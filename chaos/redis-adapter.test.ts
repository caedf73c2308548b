import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { afterEach, expect, test, vi } from 'vitest'
import { joinRedis } from '../src/server/cluster/redis.ts'
import { startRedis } from './instances.ts'

const ended: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ended.splice(0).toReversed()) await end()
})

async function startSockets(url: string) {
  const cluster = await joinRedis(url)
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const sockets = new Server(http, cluster.adapter && { adapter: cluster.adapter })
  ended.push(
    () => cluster.close(),
    () => sockets.close(),
  )
  return { sockets, address: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

/** Waits until a message is in the stream that all instances read. */
async function untilSent(url: string, text: string) {
  const client = new Redis(url)
  ended.push(() => client.disconnect())
  const readStream = async () => {
    const [stream = ''] = await client.keys('*:sockets')
    return JSON.stringify(await client.xrange(stream, '-', '+'))
  }
  await expect.poll(readStream).toContain(text)
}

for (const [words, shiftMs] of [
  ['ahead of', 120_000],
  ['behind', -120_000],
] as const)
  test(`an instance whose clock is ${words} that of Redis receives what another one sends`, async () => {
    const redis = await startRedis()
    ended.push(() => redis.remove())
    const other = await startSockets(redis.url)
    other.sockets.emit('news', 'before its start')
    await untilSent(redis.url, 'before its start')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shiftMs })
    const shifted = await startSockets(redis.url)
    const client = io(shifted.address, { transports: ['websocket'] })
    ended.push(() => client.close())
    const heard: string[] = []
    client.on('news', (text: string) => heard.push(text))
    await expect.poll(() => client.connected).toBe(true)
    other.sockets.emit('news', 'first')
    other.sockets.emit('news', 'second')
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['first', 'second'])
  })
