import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { pause } from '../clients.ts'
import type { WireFault } from './steps.ts'

const lateMs = 300

/** A TCP proxy between the product and a server: a network that can fail. */
export async function startWire(target: number) {
  let fault: WireFault | null = null
  let healed = Promise.withResolvers<void>()
  healed.resolve()
  const open = new Set<Socket>()
  const isSilent = () => fault === 'silent'

  function join(client: Socket) {
    if (fault === 'refused') return void client.destroy()
    const server = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(from)
      // In order, whatever each piece has to wait for.
      let last = Promise.resolve()
      const pass = async (chunk: Buffer) => {
        while (isSilent()) await healed.promise
        if (fault === 'slow') await pause(lateMs)
        if (fault === 'cut') {
          to.write(chunk.subarray(0, chunk.length / 2))
          from.destroy()
        } else to.write(chunk)
      }
      from.on('data', (chunk) => (last = last.then(() => pass(chunk))))
      from.on('error', () => from.destroy())
      from.once('close', () => {
        open.delete(from)
        void last.then(() => to.destroySoon())
      })
    }
  }

  const listener = createServer(join)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    /** Null heals it; what a silent network held back arrives then, as after a retransmission. */
    set(next: WireFault | null) {
      fault = next
      if (next === 'silent') healed = Promise.withResolvers<void>()
      else healed.resolve()
      if (next === 'refused') for (const one of open) one.destroy()
    },
    close() {
      healed.resolve()
      for (const one of open) one.destroy()
      listener.close()
    },
  }
}
