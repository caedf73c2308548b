import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasServed, noteServing, refuseOutgoing } from './quiet.ts'

test('a version that is tried connects to its database and to nobody else', async () => {
  let calls = 0
  const servers = [1, 2].map(() => createServer((_request, response) => response.end(String((calls += 1)))))
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))),
    ),
  )
  const [database = 0, push = 0] = ports
  const call = (port: number) => fetch(`http://127.0.0.1:${port}`).then((response) => response.text())
  const restore = refuseOutgoing({ databaseUrl: `postgres://guichet:secret@127.0.0.1:${database}/guichet` })
  try {
    expect(await call(database)).toBe('1')
    await expect(call(push)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('connects to nobody') as string },
    })
    await expect(fetch('https://push.example.com')).rejects.toThrow()
    const refused = await new Promise<Error>((resolve) => connect(push, '127.0.0.1').once('error', resolve))
    expect(refused.message).toContain('connects to nobody')
    expect(calls).toBe(1)
  } finally {
    restore()
  }
  expect(await call(push)).toBe('2')
  for (const server of servers) server.close()
})

test('a product that serves marks the copy of an update as outdated, and nothing where there is none', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'guichet-served-'))
  const copy = join(dataDir, 'before-update')
  noteServing({ dataDir })
  expect(existsSync(copy)).toBe(false)
  mkdirSync(copy)
  expect(hasServed(copy)).toBe(false)
  noteServing({ dataDir })
  expect(hasServed(copy)).toBe(true)
  rmSync(dataDir, { recursive: true })
})
