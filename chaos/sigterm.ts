import { Agent, get } from 'node:http'
import { startProduct } from '../e2e/product.ts'
import { becomeAvailable, connected, openTechnician, openVisitor, pause, trusting } from './clients.ts'
import type { Row } from './row.ts'

const readers = 20
const visitors = 100
const paths = ['/', '/reseau', '/team', '/api/networks/reseau', '/api/employees/employes']

export const sigterm: Row = {
  name: 'sigterm',
  fault: `SIGTERM while ${readers} readers load pages and ${visitors} visitors are connected`,
  async run() {
    const product = await startProduct({ ...trusting })
    const origin = product.address()
    const technician = await openTechnician(origin)
    await becomeAvailable(technician)
    const sockets = Array.from({ length: visitors }, (_, number) => openVisitor(origin, number, { reconnection: false }))
    await Promise.all(sockets.map(connected))
    let told = 0
    for (const socket of sockets) socket.on('disconnect', (reason) => (told += reason === 'io server disconnect' ? 1 : 0))

    const counts = { answered: 0, failed: 0, refused: 0 }
    let isOver = false
    const agent = new Agent({ keepAlive: true, maxSockets: readers })
    const read = async (number: number) => {
      for (let turn = number; ; turn += 1) {
        const outcome = await ask(agent, origin + (paths[turn % paths.length] ?? '/'))
        counts[outcome] += 1
        if (outcome === 'refused' || isOver) return
      }
    }
    const reading = Promise.all(Array.from({ length: readers }, (_, number) => read(number)))
    while (counts.answered < 200) await pause(10)
    const startedAt = performance.now()
    const code = await product.end('SIGTERM')
    const lasted = performance.now() - startedAt
    isOver = true
    await reading
    technician.close()
    agent.destroy()
    await product.stop()
    return {
      good: counts.failed === 0 && code === 0 && lasted < 10_000 && told === visitors,
      figures: {
        'answered before and during': counts.answered,
        'failed in flight': counts.failed,
        'sockets told': told,
        'exit (ms)': Math.round(lasted),
        'exit code': code ?? 'none',
      },
    }
  },
}

/**
 * A refused connection, or one closed before its request was read, is retried on the next server; a truncated response is a
 * failure.
 */
function ask(agent: Agent, url: string) {
  return new Promise<'answered' | 'failed' | 'refused'>((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.on('error', () => resolve('failed'))
      response.on('end', () => resolve(response.complete && response.statusCode === 200 ? 'answered' : 'failed'))
      response.resume()
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isNotTaken = error.code === 'ECONNREFUSED' || (request.reusedSocket && error.code === 'ECONNRESET')
      resolve(isNotTaken ? 'refused' : 'failed')
    })
  })
}
