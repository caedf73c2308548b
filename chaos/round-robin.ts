import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A balancer without any memory: each connection goes to the next instance that answers. */
export async function startRoundRobin(ports: () => number[]) {
  const open = new Set<Socket>()
  let turn = 0

  function hand(client: Socket, triesLeft: number) {
    const all = ports()
    const port = all[turn % all.length] ?? 0
    turn += 1
    const instance = connect(port, '127.0.0.1')
    let isReached = false
    instance.once('connect', () => {
      isReached = true
      client.pipe(instance).pipe(client)
      client.once('close', () => instance.destroy())
      instance.once('close', () => client.destroy())
    })
    instance.on('error', () => {
      if (!isReached && triesLeft > 0) hand(client, triesLeft - 1)
      else client.destroy()
    })
  }

  const server = createServer((client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    hand(client, ports().length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next connection goes to this one of the instances. */
    beginAt(index: number) {
      turn = index
    },
    close() {
      for (const client of open) client.destroy()
      server.close()
    },
  }
}
