import { afterEach, expect, test, vi } from 'vitest'
import { draw } from './picture-process.ts'
import { findPictureProcess, readOfProcess } from './testing.ts'

const drawing = (side: number) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle r="9" fill="red"/></svg>`)

afterEach(() => vi.useRealTimers())

test('a drawing is made, without the environment of the product', async () => {
  vi.stubEnv('SESSION_SECRET', 'not-for-decoders')
  const png = await draw('drawPng', drawing(64))
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
  const environment = readOfProcess(findPictureProcess(), 'environ')
  expect(environment).toContain('NODE_ENV=test')
  expect(environment).not.toContain('SESSION_SECRET')
})

test('where the process is killed, the picture fails and the next one is drawn by another', async () => {
  const failing = draw('drawPhoto', drawing(2_000), 9)
  const outcome = expect(failing).rejects.toThrow('the process that draws pictures ended at "drawPhoto"')
  await expect.poll(findPictureProcess).not.toBeNull()
  const killed = findPictureProcess() ?? 0
  process.kill(killed, 'SIGKILL')
  const next = draw('drawPng', drawing(64))
  await outcome
  expect((await next).length).toBeGreaterThan(0)
  expect(findPictureProcess()).not.toBe(killed)
})

test('pictures asked for at once share a process, which ends once it is idle', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await Promise.all([draw('drawPng', drawing(64)), draw('drawPng', drawing(65))])
  const first = findPictureProcess()
  await draw('drawPng', drawing(66))
  expect(findPictureProcess()).toBe(first)
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await expect.poll(findPictureProcess).toBeNull()
})

test('what cannot be drawn is an error with its reason, and the process goes on', async () => {
  await expect(draw('drawPhoto', Buffer.from('no picture'))).rejects.toThrow('unsupported image format')
  const png = await draw('drawPng', drawing(64))
  expect(png.length).toBeGreaterThan(0)
})
