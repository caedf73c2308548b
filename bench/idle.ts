import { WebSocket } from 'ws'
import { startProduct } from '../e2e/product.ts'
import { trusting } from '../chaos/clients.ts'
import { memoryOf } from './child.ts'
import { printTable } from './table.ts'

const wanted = 15_000
const step = 2_500
const atOnce = 100

/** Memory of up to 15,000 idle visitors with the chat open (goal: within 1 GB). */
export async function benchIdle() {
  const product = await startProduct({ ...trusting, MAX_SOCKETS_PER_ADDRESS: String(wanted) })
  const open = new Set<WebSocket>()
  const rows = []
  let refused = 0
  // The first step warms the server up; later ones measure a socket.
  let first: { sockets: number; memory: number } | undefined
  while (open.size + refused < wanted) {
    for (let count = 0; count < step; count += atOnce) {
      const joined = await Promise.allSettled(Array.from({ length: atOnce }, () => join(product.address(), open)))
      refused += joined.filter(({ status }) => status === 'rejected').length
    }
    const memory = memoryOf(product.pid())
    const each = first ? (memory - first.memory) / (open.size - first.sockets) / 1_024 : Number.NaN
    rows.push({ sockets: open.size, refused, 'memory, all together (MB)': memory / 2 ** 20, 'each (KB)': each })
    first ??= { sockets: open.size, memory }
  }
  printTable('Idle visitors’ sockets (wanted: 15,000 within 1,024 MB)', rows)
  for (const socket of open) socket.terminate()
  await product.stop()
}

/** A minimal client: the library's client would need more memory than the server. */
function join(origin: string, open: Set<WebSocket>) {
  return new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    socket.on('error', reject)
    socket.on('close', () => {
      open.delete(socket)
      reject(new Error('closed'))
    })
    socket.on('message', (data) => {
      const message = (data as Buffer).toString()
      if (message.startsWith('0')) socket.send('40')
      if (message === '2') socket.send('3')
      if (message.startsWith('40')) {
        open.add(socket)
        resolve()
      }
    })
  })
}
