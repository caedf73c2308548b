import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'

/** A page on the loopback; without `answer`, an empty one. */
export async function startPage(answer: RequestListener = (_request, response) => response.end('ok')) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host ?? ''}${request.url ?? ''}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Loss = 'reset' | 'silence' | null

/** A port on the loopback. `lose` says what happens to each connection; `close` and `open` let it go down and up again. */
export async function startPort(lose: () => Loss = () => null) {
  const open = new Set<Socket>()
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
    const loss = lose()
    if (loss === 'reset') socket.resetAndDestroy()
    else if (loss === null) socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const close = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }
  return { port, target: `127.0.0.1:${port}`, count: () => connections, open: () => listen(port), close }
}
