import { io } from 'socket.io-client'
import { describe, expect, test, vi } from 'vitest'
import { followStream } from '#src/server/testing/follow-stream.ts'
import { alertPath, setUpAlerts } from './testing.ts'

const { product, administrator, set } = setUpAlerts()

describe('the broadcast', () => {
  const open = async (namespace: string, cookie = '') => {
    const heard: unknown[] = []
    const socket = io(product().origin + namespace, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true })
    socket.on('update:alert', (alert: unknown) => heard.push(alert))
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve())
      socket.once('connect_error', reject)
    })
    return { heard, close: () => socket.close() }
  }

  test('reaches staff at once, visitors only while it is public, and late connections', async () => {
    const technician = await product().signIn({ chat: 'read_write' })
    const staff = await open('/staff', technician.cookieHeader())
    const visitor = await open('/')

    const current = (await set(60)).body
    await vi.waitFor(() => expect(staff.heard).toEqual([current]), { timeout: 30_000 })
    const late = await open('/staff', technician.cookieHeader())
    await vi.waitFor(() => expect(late.heard).toEqual([current]), { timeout: 30_000 })
    expect(visitor.heard).toEqual([])

    const shown = (await set(60, { public: true })).body
    await vi.waitFor(() => expect(visitor.heard).toEqual([shown]), { timeout: 30_000 })
    const lateVisitor = await open('/')
    await vi.waitFor(() => expect(lateVisitor.heard).toEqual([shown]), { timeout: 30_000 })

    await administrator().delete(alertPath)
    await vi.waitFor(() => expect(visitor.heard).toEqual([shown, null]), { timeout: 30_000 })
    expect(staff.heard).toEqual([current, shown, null])
    for (const one of [staff, visitor, late, lateVisitor]) one.close()
  })

  test('updates open pages, and sends them the current build version', async () => {
    product().app.siteBuild.version = 'abc123'
    const stream = await followStream(`${product().origin}/api/live`)
    expect(await stream.next('event: hello\ndata: {"build":"abc123"}')).toMatch(/^retry: \d{4}\n/)
    await set(60)
    await stream.next('data: {"area":"updates"}')
    stream.close()
    product().app.siteBuild.version = null
  })
})
