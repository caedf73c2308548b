import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestApp } from '#src/app/testing/test-app.ts'

// Each of these connections would be open for more than a minute after the stop.
test('a stop ends connections that wait for nothing, and the others after their response', { timeout: 30_000 }, async () => {
  const answer = Promise.withResolvers<string>()
  const asked = Promise.withResolvers<void>()
  const product = await startTestApp({
    async prepare(app) {
      app.get('/slow', { config: { access: 'public' } }, () => {
        asked.resolve()
        return answer.promise
      })
    },
  })
  const { port, host } = new URL(product.origin)
  const open = async (text: string) => {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (part: string) => (received += part))
    const begun = once(socket, 'data')
    const closed = once(socket, 'close').then(() => received)
    await once(socket, 'connect')
    socket.write(text)
    return { begun, closed }
  }
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const [early, half, slow, live] = await Promise.all([
    open(''),
    open(get('/').slice(0, 20)),
    open(get('/slow')),
    open(get('/api/live')),
  ])
  await Promise.all([asked.promise, live.begun])

  const stopped = product.stop()
  expect(await Promise.all([early.closed, half.closed])).toEqual(['', ''])
  expect(await live.closed).toMatch(/^HTTP\/1.1 200 OK/)
  answer.resolve('answered after all')
  expect(await slow.closed).toMatch(/^HTTP\/1.1 200 OK[\s\S]*answered after all/)
  await stopped
})
