import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pause } from './clients.ts'

type Fault = (typeof faults)[number]
const faults = ['reset before', 'reset after', 'stall', 'html', 'html after', '{}', '{} after', 'double', 'delay'] as const

/** A proxy in front of the product: half of the form submissions meet a fault. */
export async function startFaultyProxy(target: () => string) {
  const agent = new Agent({ keepAlive: false })
  let turn = 0
  let dealt = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const isSending = incoming.method === 'POST' && /^\/(api\/mailer\/|appel-de-service|contact)/.test(incoming.url ?? '')
      turn += isSending ? 1 : 0
      const fault = isSending && turn % 2 === 0 ? faults[(turn / 2) % faults.length] : undefined
      dealt += fault ? 1 : 0
      void answer(incoming, Buffer.concat(chunks), outgoing, fault).catch(() => outgoing.destroy())
    })
    incoming.on('error', () => outgoing.destroy())
  })

  /** Forwards a request and reads the whole response. */
  const ask = (incoming: IncomingMessage, body: Buffer) => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number
      headers: IncomingMessage['headers']
      body: Buffer
    }>()
    const { hostname, port } = new URL(target())
    const options = { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers, agent }
    const asked = forward(options, (answered) => {
      const chunks: Buffer[] = []
      answered.on('data', (chunk: Buffer) => chunks.push(chunk))
      answered.on('end', () =>
        resolve({ status: answered.statusCode ?? 502, headers: answered.headers, body: Buffer.concat(chunks) }),
      )
      answered.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
    return promise
  }

  async function answer(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, fault: Fault | undefined) {
    const isTaken = fault && !['reset before', 'html', '{}'].includes(fault)
    if (fault === 'delay') await pause(1_500)
    const answers =
      fault && !isTaken
        ? []
        : await Promise.all(fault === 'double' ? [ask(incoming, body), ask(incoming, body)] : [ask(incoming, body)])
    if (fault?.startsWith('reset')) return outgoing.destroy()
    if (fault === 'stall') return undefined
    if (fault?.startsWith('html'))
      return outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to the hotel</h1>')
    if (fault?.startsWith('{}')) return outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    const last = answers.at(-1)
    return last ? outgoing.writeHead(last.status, last.headers).end(last.body) : outgoing.destroy()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dealt: () => dealt,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
