import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBus } from './redis-bus.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Both connections to a Redis whose messages arrive when they are read, and which can stop to deliver. */
function createConnections() {
  const unread: string[] = []
  let delivers = true
  const connection = () => Object.assign(new EventEmitter(), { status: 'ready' })
  const listener = Object.assign(connection(), { subscribe: async () => 1, disconnect: vi.fn<(again: boolean) => void>() })
  const main = Object.assign(connection(), {
    publish: async (_channel: string, text: string) => {
      if (delivers) unread.push(text)
      return 1
    },
  })
  return {
    connections: { main, listener } as unknown as Parameters<typeof createBus>[0],
    main,
    listener,
    read: () => {
      for (const text of unread.splice(0)) listener.emit('message', 'bus', text)
    },
    fallSilent: () => (delivers = false),
  }
}

async function start() {
  const redis = createConnections()
  const bus = createBus(redis.connections, 'bus')
  await bus.ready
  redis.read()
  return { ...redis, bus }
}

test('keeps its subscription after the event loop was blocked', async () => {
  const { bus, listener, read } = await start()
  const onGap = vi.fn<() => void>()
  bus.cluster.onGap(onGap)
  // Time passes while no timer runs and nothing is read; timers run first afterwards.
  vi.setSystemTime(Date.now() + 20_000)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(listener.disconnect).not.toHaveBeenCalled()
  read()
  expect(bus.cluster.isConnected()).toBe(true)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(listener.disconnect).not.toHaveBeenCalled()
  expect(onGap).not.toHaveBeenCalled()
  await bus.close()
})

test('opens its subscription again once Redis delivers nothing for 8 s', async () => {
  const { bus, listener, read, fallSilent } = await start()
  for (let beats = 0; beats < 10; beats += 1) {
    await vi.advanceTimersByTimeAsync(2_000)
    read()
  }
  expect(listener.disconnect).not.toHaveBeenCalled()
  fallSilent()
  await vi.advanceTimersByTimeAsync(6_000)
  expect(listener.disconnect).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(listener.disconnect).toHaveBeenCalledOnce()
  await bus.close()
})

test('treats what its subscription may have missed as a gap, and a late connection of its own as none', async () => {
  const { bus, main, listener } = await start()
  const [onGap, onHello] = [vi.fn<() => void>(), vi.fn<() => void>()]
  bus.cluster.onGap(onGap)
  bus.cluster.onHello(onHello)
  for (const connection of [main, listener]) connection.emit('ready')

  main.emit('close')
  main.emit('ready')
  await vi.advanceTimersByTimeAsync(0)
  expect([onGap.mock.calls.length, onHello.mock.calls.length]).toEqual([0, 1])

  listener.emit('close')
  main.status = 'reconnecting'
  listener.emit('ready')
  await vi.advanceTimersByTimeAsync(0)
  expect(onGap).not.toHaveBeenCalled()
  main.status = 'ready'
  main.emit('ready')
  await vi.advanceTimersByTimeAsync(0)
  expect(onGap).toHaveBeenCalledOnce()
  await bus.close()
})
